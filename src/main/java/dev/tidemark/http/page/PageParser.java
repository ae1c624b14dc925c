package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.http.query.Jump;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.MomentParameter;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.http.query.Start;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Parses the query of {@code GET /api/{feed}}. */
@Singleton
public class PageParser {

    private static final Endpoint ENDPOINT = Endpoint.withCursors(Stream.concat(
                    Start.PARAMETERS.stream(),
                    Stream.of(
                            ParameterNames.LIMIT,
                            ParameterNames.UNTIL,
                            ParameterNames.SINCE,
                            ParameterNames.COUNT,
                            ParameterNames.FIELDS))
            .toList());

    private final Validator validator;

    PageParser(Validator validator) {
        this.validator = validator;
    }

    /**
     * @throws Problem if a parameter is invalid
     * @throws ConstraintViolationException if {@code limit} is too small
     */
    public ParsedQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        Feed feed = served.feed();
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        Optional<CursorParameter> until = CursorParameter.find(ParameterNames.UNTIL, query);
        Optional<Start> start = Start.find(query, feed, state.order());
        if (until.isPresent() && start.isPresent() && start.get() instanceof Jump jump) {
            throw QueryString.conflict(ParameterNames.UNTIL, jump.parameter());
        }
        Feed.Limits limits = feed.policy().limits();
        Optional<MomentParameter> since = MomentParameter.find(ParameterNames.SINCE, query);
        int max = since.isPresent() ? requireDelta(feed).max() : limits.max();
        return ConstraintProblems.validate(
                validator,
                new ParsedQuery(
                        PageFormat.API,
                        state,
                        start,
                        until,
                        query.value(ParameterNames.LIMIT)
                                .map(text -> Limit.parse(text, max))
                                .orElseGet(() -> isWeb(request) ? limits.webDefault() : limits.byDefault()),
                        query.value(ParameterNames.FIELDS).map(list -> FieldNames.parse(feed, list)),
                        query.value(ParameterNames.COUNT).map(value -> precision(feed, value)),
                        since));
    }

    private static Feed.Delta requireDelta(Feed feed) {
        return feed.policy()
                .delta()
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.SINCE,
                        ProblemCode.NOT_SUPPORTED,
                        "this feed is not declared with delta, so it does not support since"));
    }

    private static Precision precision(Feed feed, String value) {
        List<String> offeredPrecisions = new ArrayList<>();
        for (Precision precision : List.of(Precision.ESTIMATE, Precision.EXACT)) {
            String wireName = precision.name().toLowerCase(Locale.ROOT);
            if (precision.compareTo(feed.policy().count().maxPrecision()) <= 0) {
                if (wireName.equals(value)) {
                    return precision;
                }
                offeredPrecisions.add(wireName);
            }
        }
        throw Problem.ofParameter(
                ParameterNames.COUNT,
                ProblemCode.NOT_SUPPORTED,
                offeredPrecisions.isEmpty()
                        ? "this feed does not offer counts"
                        : "this feed offers these counts: " + String.join(", ", offeredPrecisions));
    }

    /**
     * Returns whether the header {@link Vary#MOBILE} says that the client is not mobile. Apps and some browsers do
     * not send the header, so clients without it count as mobile.
     */
    private static boolean isWeb(HttpServerRequest request) {
        return "?0".equals(request.getHeader(Vary.MOBILE));
    }
}
