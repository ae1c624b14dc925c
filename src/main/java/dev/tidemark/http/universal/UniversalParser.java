package dev.tidemark.http.universal;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.naming.ParameterNames;
import dev.tidemark.paging.Direction;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import java.util.List;
import java.util.Optional;

/** Parses the query of {@code GET /v3/{feed}}. */
@Singleton
class UniversalParser {

    private static final Endpoint ENDPOINT =
            Endpoint.of(List.of(ParameterNames.LIMIT, ParameterNames.AFTER, ParameterNames.BEFORE));

    private final Validator validator;

    UniversalParser(Validator validator) {
        this.validator = validator;
    }

    /**
     * @throws Problem if a parameter is invalid
     * @throws ConstraintViolationException if {@code limit} is too small
     */
    UniversalQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        Feed feed = served.feed();
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        int limit = query.value(ParameterNames.LIMIT)
                .map(text -> Limit.parse(text, feed.policy().limits().max()))
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.LIMIT,
                        ProblemCode.MISSING_PARAMETER,
                        "limit is required: send the number of rows to return, 0 or more"));
        return ConstraintProblems.validate(validator, new UniversalQuery(state, token(feed, query), limit));
    }

    private static Optional<UniversalToken> token(Feed feed, QueryString query) {
        Optional<UniversalToken> token = query.findExclusiveParameter(
                        List.of(ParameterNames.BEFORE, ParameterNames.AFTER))
                .map(parameter ->
                        new UniversalToken(parameter, query.value(parameter).orElseThrow()));
        if (token.isPresent()
                && token.get().direction() == Direction.BACKWARD
                && !feed.policy().universal().backward()) {
            throw Problem.ofParameter(
                    ParameterNames.BEFORE, ProblemCode.NOT_SUPPORTED, "this feed can be paged forward only");
        }
        return token;
    }
}
