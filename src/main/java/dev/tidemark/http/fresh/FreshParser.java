package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.naming.ParameterNames;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.List;

/** Parses the query of {@code GET /api/{feed}/fresh}. */
@Singleton
class FreshParser {

    private static final Endpoint ENDPOINT = Endpoint.withCursors(List.of(ParameterNames.CURSOR));

    /** @throws Problem if the feed has no cursors, a parameter is invalid, or the cursor is missing */
    FreshQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        String cursor = query.value(ParameterNames.CURSOR)
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.CURSOR,
                        ProblemCode.MISSING_PARAMETER,
                        "cursor is required: send the cursor to count from, such as cursors.top of a page"));
        return new FreshQuery(state, cursor, caller.expiry());
    }
}
