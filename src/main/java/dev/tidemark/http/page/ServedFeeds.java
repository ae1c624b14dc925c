package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The feeds that are served, by name. */
@Singleton
public class ServedFeeds {

    private final MeterRegistry registry;
    private final Vary vary;
    private volatile Map<String, ServedFeed> byName = Map.of();

    ServedFeeds(Feeds feeds, MeterRegistry registry, Vary vary) {
        this.registry = registry;
        this.vary = vary;
        feeds.follow(() -> serve(feeds.all()));
    }

    private void serve(List<Feed> feeds) {
        Map<String, ServedFeed> before = byName;
        Map<String, ServedFeed> after = new HashMap<>();
        for (Feed feed : feeds) {
            ServedFeed served = before.get(feed.name());
            after.put(
                    feed.name(),
                    served != null && served.feed() == feed ? served : ServedFeed.of(feed, registry, vary));
        }
        byName = after;
    }

    /** @throws Problem {@code unknown_feed} if no feed has this name */
    public ServedFeed find(String name) {
        ServedFeed feed = byName.get(name);
        if (feed == null) {
            throw Problem.of(ProblemCode.UNKNOWN_FEED, "there is no feed with this name; GET /api lists the feeds");
        }
        return feed;
    }
}
