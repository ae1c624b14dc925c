package dev.tidemark.feed;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All feeds of this server, sorted by name. They can be replaced while the server runs, all at once. Thread-safe. */
public final class Feeds {

    private volatile Map<String, Feed> byName;

    /**
     * An event: the feeds have been replaced. A feed that has not changed is the same object in both lists. What a request has
     * found before stays valid for that request.
     */
    public record Replaced(List<Feed> before, List<Feed> after) {

        /** The priority of observers that serve the feeds. */
        public static final int SERVE = 1;

        /** The priority of observers that list the feeds, so that a feed is served when it is listed. */
        public static final int LIST = 2;

        /** The priority of observers that end what belongs to removed feeds. */
        public static final int END = 3;

        /** Those that were not served before, or not as they are now. */
        public List<Feed> added() {
            return after.stream().filter(feed -> !contains(before, feed)).toList();
        }

        /** Those that are not served any more, or not as they were. */
        public List<Feed> removed() {
            return before.stream().filter(feed -> !contains(after, feed)).toList();
        }
    }

    public Feeds(Collection<Feed> feeds) {
        byName = sorted(feeds);
    }

    private static Map<String, Feed> sorted(Collection<Feed> feeds) {
        Map<String, Feed> byName = new LinkedHashMap<>();
        feeds.stream().sorted(Comparator.comparing(Feed::name)).forEach(feed -> byName.put(feed.name(), feed));
        return byName;
    }

    private static boolean contains(List<Feed> feeds, Feed feed) {
        return feeds.stream().anyMatch(other -> other == feed);
    }

    /** Replaces the feeds. Whoever calls this also fires the event. */
    public synchronized Replaced replace(Collection<Feed> feeds) {
        List<Feed> before = all();
        byName = sorted(feeds);
        return new Replaced(before, all());
    }

    public List<Feed> all() {
        return List.copyOf(byName.values());
    }

    public Optional<Feed> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Whether this very feed is served, and not another one of its name. */
    public boolean contains(Feed feed) {
        return byName.get(feed.name()) == feed;
    }
}
