package dev.tidemark.http.fresh;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.List;

/** Parses the query of {@code GET /api/{feed}/fresh}, and opens its cursor. */
@Singleton
class FreshParser {

    /** The events have no ids, so the id of the last one, which some clients always send, means nothing. */
    private static final Endpoint ENDPOINT =
            Endpoint.withCursors(List.of(ParameterNames.CURSOR, ParameterNames.LAST_EVENT_ID));

    private final CursorSealer cursors;

    FreshParser(CursorSealer cursors) {
        this.cursors = cursors;
    }

    /** @throws Problem if the feed has no cursors, a parameter or the cursor is invalid, or the cursor is missing */
    FreshPosition parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        CursorParameter cursor = CursorParameter.find(ParameterNames.CURSOR, query)
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.CURSOR,
                        ProblemCode.MISSING_PARAMETER,
                        "cursor is required: send the cursor to count from, such as cursors.top of a page"));
        return new FreshPosition(state, cursor.open(state, cursors), caller);
    }
}
