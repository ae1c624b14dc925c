package dev.tidemark.declare;

import dev.tidemark.feed.Feeds;
import java.time.Duration;
import java.util.Map;

/** Resolves feeds as the server does at its start, for tests that need no server. */
public final class DeclaredFeeds {

    private DeclaredFeeds() {}

    /** @param properties as under {@code tidemark.feeds}, such as {@code messages.table} */
    public static Feeds resolve(Catalogue catalogue, Map<String, String> properties) {
        return resolve(catalogue, properties, false);
    }

    public static Feeds resolve(Catalogue catalogue, Map<String, String> properties, boolean requireIndexes) {
        FeedsConfig config = new FeedsConfig() {
            @Override
            public Map<String, String> feeds() {
                return properties;
            }

            @Override
            public Duration startTimeout() {
                return Duration.ofSeconds(5);
            }

            @Override
            public boolean requireIndexes() {
                return requireIndexes;
            }
        };
        return new FeedRegistry(config, catalogue).feeds();
    }
}
