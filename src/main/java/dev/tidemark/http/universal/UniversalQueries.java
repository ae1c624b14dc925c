package dev.tidemark.http.universal;

import dev.tidemark.feed.Feeds;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Bounds;
import dev.tidemark.http.query.FeedParameters;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.http.query.UniversalQuery;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.util.HashMap;
import java.util.Map;

/** Reads what is asked over the universal protocol. */
@Singleton
class UniversalQueries {

    private final Validator bounds;
    private final Map<String, FeedParameters> byFeed = new HashMap<>();

    UniversalQueries(Feeds feeds, Validator bounds) {
        this.bounds = bounds;
        feeds.all().forEach(feed -> byFeed.put(feed.name(), FeedParameters.ofUniversal(feed)));
    }

    /** @throws Problem or a violation of the query's bounds */
    UniversalQuery read(ServedFeed served, Caller caller, HttpServerRequest request) {
        FeedParameters parameters = byFeed.get(served.feed().name());
        return Bounds.checked(
                bounds,
                parameters.read(QueryString.decode(request.query()), caller).universal());
    }
}
