package dev.tidemark.http.universal;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.Feed.UniversalPolicy.Strategy;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.Offset;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.http.query.Start;
import dev.tidemark.paging.Direction;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the query of {@code GET /v3/{feed}}. */
@Singleton
class UniversalParser {

    private static final Endpoint ENDPOINT =
            Endpoint.of(List.of(ParameterNames.LIMIT, ParameterNames.AFTER, ParameterNames.BEFORE));

    /** Matches numbers of up to nine digits without leading zeros. The server never issues longer numbers. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

    private final Validator validator;

    UniversalParser(Validator validator) {
        this.validator = validator;
    }

    /**
     * @throws Problem if a parameter is invalid
     * @throws ConstraintViolationException if {@code limit} is too small
     */
    ParsedQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        Feed feed = served.feed();
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        int limit = query.value(ParameterNames.LIMIT)
                .map(text -> Limit.parse(text, feed.policy().limits().max()))
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.LIMIT,
                        ProblemCode.MISSING_PARAMETER,
                        "limit is required: send the number of rows to return, 0 or more"));
        return ConstraintProblems.validate(
                validator,
                new ParsedQuery(
                        PageFormat.UNIVERSAL,
                        state,
                        start(state, query),
                        Optional.empty(),
                        limit,
                        Optional.empty(),
                        // Clients interpret the count as the exact total, so an estimate is never sent.
                        Optional.of(feed.policy().count().maxPrecision()).filter(Precision.EXACT::equals),
                        Optional.empty()),
                ParsedQuery.MayHaveNoItems.class);
    }

    /**
     * Returns where the page starts. A scroll in progress keeps the strategy that it began with, which the form of its
     * token shows: a sealed cursor begins with {@code A}, and an offset is a number. A new scroll uses the strategy of
     * the feed. A new scroll of a search continues by cursor, because a page after an offset looks at all rows
     * before it.
     */
    private static Optional<Start> start(ListState state, QueryString query) {
        Feed feed = state.feed();
        Optional<String> parameter = query.findExclusiveParameter(List.of(ParameterNames.BEFORE, ParameterNames.AFTER));
        if (parameter.isEmpty()) {
            return feed.policy().universal().strategy() == Strategy.CURSOR || isPagedByCursor(state)
                    ? Optional.empty()
                    : Optional.of(new Offset(0, Direction.FORWARD));
        }
        String name = parameter.get();
        String token = query.value(name).orElseThrow();
        Direction direction = name.equals(ParameterNames.AFTER) ? Direction.FORWARD : Direction.BACKWARD;
        if (direction == Direction.BACKWARD && !feed.policy().universal().backward()) {
            throw Problem.ofParameter(name, ProblemCode.NOT_SUPPORTED, "this feed can be paged forward only");
        }
        if (!NUMBER.matcher(token).matches()) {
            return Optional.of(new CursorParameter(name, token, Optional.of(direction)));
        }
        int row = Integer.parseInt(token);
        boolean hasWords = state.conditions().stream().anyMatch(Condition.Search.class::isInstance);
        if (row > 0 && hasWords) {
            throw Problem.ofParameter(name, ProblemCode.INVALID_CURSOR, "the tokens of a search are not numbers");
        }
        return row == 0 && direction == Direction.FORWARD && isPagedByCursor(state)
                ? Optional.empty()
                : Optional.of(new Offset(precedingCount(feed, name, row, direction), direction));
    }

    private static boolean isPagedByCursor(ListState state) {
        return state.isSearch() && state.feed().relation().hasKey();
    }

    /**
     * Returns the number of rows before the position of an offset. Rows are counted from 1: {@code after=19} continues
     * after the 19th row, and {@code before=19} before it. {@code before=0} is the same as {@code before=1}.
     */
    private static int precedingCount(Feed feed, String parameter, int row, Direction direction) {
        int precedingCount =
                switch (direction) {
                    case FORWARD -> row;
                    case BACKWARD -> Math.max(0, row - 1);
                };
        int max = feed.policy().universal().maxOffset();
        if (precedingCount > max) {
            // The database reads all of these rows.
            throw Problem.ofParameter(
                    parameter,
                    ProblemCode.NOT_SUPPORTED,
                    "an offset in this list can be at most " + max + "; narrow the list with filters");
        }
        return precedingCount;
    }
}
