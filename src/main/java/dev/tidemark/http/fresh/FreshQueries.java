package dev.tidemark.http.fresh;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FeedParameters;
import dev.tidemark.http.query.FeedQuery;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.paging.Continuation;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads what is asked of the new items of a feed: the list, and the place from which on they are new. */
@Singleton
class FreshQueries {

    private final CursorSealer cursors;
    private final Map<String, FeedParameters> byFeed = new HashMap<>();

    /**
     * @param from what the cursor means; no part of it says how many items a page would have
     * @param until when whoever asks may not know any longer
     */
    record FreshQuery(ListState state, Continuation from, Optional<Instant> until) {}

    FreshQueries(Feeds feeds, CursorSealer cursors) {
        this.cursors = cursors;
        feeds.all().forEach(feed -> byFeed.put(feed.name(), FeedParameters.ofPlaces(feed)));
    }

    /** @throws Problem or {@link dev.tidemark.cursor.CursorRefused}, as for a page with this cursor */
    FreshQuery read(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        FeedParameters parameters = byFeed.get(served.feed().name());
        FeedQuery query =
                parameters.read(QueryString.decode(request.query()), caller).page(false);
        String cursor = query.cursor()
                .orElseThrow(() -> Problem.with(
                        "cursor",
                        ProblemCode.MISSING_PARAMETER,
                        "cursor is missing: what is new is counted from one on, such as a page's cursors.top"));
        return new FreshQuery(query.state(), cursors.open(query.state(), cursor), caller.until());
    }
}
