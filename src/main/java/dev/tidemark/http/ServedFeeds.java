package dev.tidemark.http;

import dev.tidemark.feed.Feeds;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;

/** The feeds by the names under which they are served. */
@Singleton
class ServedFeeds {

    private final Map<String, ServedFeed> byName = new HashMap<>();

    ServedFeeds(Feeds feeds, MeterRegistry metrics, Vary vary) {
        feeds.all().forEach(feed -> byName.put(feed.name(), ServedFeed.of(feed, metrics, vary)));
    }

    /** @throws Problem also {@code not_supported}, of a feed without a key: it has no positions for cursors to name */
    ServedFeed findWithCursors(String name) {
        ServedFeed served = find(name);
        if (!served.feed().relation().hasKey()) {
            throw Problem.of(
                    ProblemCode.NOT_SUPPORTED,
                    "nothing tells the rows of this feed apart, so that it has no cursors; it is served at /v3/"
                            + name);
        }
        return served;
    }

    /** @throws Problem {@code unknown_feed} */
    ServedFeed find(String name) {
        ServedFeed feed = byName.get(name);
        if (feed == null) {
            throw Problem.of(ProblemCode.UNKNOWN_FEED, "there is no feed of this name; GET /api lists the feeds");
        }
        return feed;
    }
}
