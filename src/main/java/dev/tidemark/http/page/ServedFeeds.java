package dev.tidemark.http.page;

import dev.tidemark.feed.Feeds;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;

/** The feeds by the names under which they are served. */
@Singleton
public class ServedFeeds {

    private final Map<String, ServedFeed> byName = new HashMap<>();

    ServedFeeds(Feeds feeds, MeterRegistry registry, Vary vary) {
        feeds.all().forEach(feed -> byName.put(feed.name(), ServedFeed.of(feed, registry, vary)));
    }

    /** @throws Problem {@code unknown_feed} */
    public ServedFeed find(String name) {
        ServedFeed feed = byName.get(name);
        if (feed == null) {
            throw Problem.of(ProblemCode.UNKNOWN_FEED, "there is no feed of this name; GET /api lists the feeds");
        }
        return feed;
    }
}
