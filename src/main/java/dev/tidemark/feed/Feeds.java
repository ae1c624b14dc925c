package dev.tidemark.feed;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All feeds of this server, sorted by name. They can be replaced all at once while the server is running. Thread-safe.
 */
public final class Feeds {

    /** The priority of the startup observer that resolves the feeds, after the observers that create tables. */
    public static final int RESOLVING_PRIORITY = 2000;

    /** The priority of the startup observers that use the resolved feeds. */
    public static final int RESOLVED_PRIORITY = RESOLVING_PRIORITY + 1;

    private volatile Map<String, Feed> byName;

    /**
     * The event that is fired when the feeds have been replaced. A feed that has not changed is the same object before
     * and after. A request that has already found its feed continues with that feed.
     */
    public record Replacement(List<Feed> before, List<Feed> after) {

        /** The priority of observers that serve the feeds. */
        public static final int SERVE_PRIORITY = 1;

        /** The priority of observers that describe the feeds in detail. */
        public static final int DESCRIBE_PRIORITY = 2;

        /**
         * The priority of observers that list the feeds, so that a feed is already served and described when it is
         * listed.
         */
        public static final int LIST_PRIORITY = 3;

        /** The priority of observers that release the resources of removed feeds. */
        public static final int RELEASE_PRIORITY = 4;

        /** Returns the feeds that are new or have changed. */
        public List<Feed> addedOrChanged() {
            return after.stream().filter(feed -> !contains(before, feed)).toList();
        }

        /** Returns the feeds that were removed, and the previous versions of changed feeds. */
        public List<Feed> removedOrChanged() {
            return before.stream().filter(feed -> !contains(after, feed)).toList();
        }
    }

    public Feeds(Collection<Feed> feeds) {
        byName = sortByName(feeds);
    }

    private static Map<String, Feed> sortByName(Collection<Feed> feeds) {
        Map<String, Feed> byName = new LinkedHashMap<>();
        feeds.stream().sorted(Comparator.comparing(Feed::name)).forEach(feed -> byName.put(feed.name(), feed));
        return byName;
    }

    private static boolean contains(List<Feed> feeds, Feed feed) {
        return feeds.stream().anyMatch(other -> other == feed);
    }

    /** Replaces all feeds. The caller must fire the returned event. */
    public synchronized Replacement replace(Collection<Feed> feeds) {
        List<Feed> before = all();
        byName = sortByName(feeds);
        return new Replacement(before, all());
    }

    public List<Feed> all() {
        return List.copyOf(byName.values());
    }

    public Optional<Feed> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns whether this very object is served, and not another version of the feed with the same name. */
    public boolean contains(Feed feed) {
        return byName.get(feed.name()) == feed;
    }
}
