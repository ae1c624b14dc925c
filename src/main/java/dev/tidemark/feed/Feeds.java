package dev.tidemark.feed;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All feeds of this server, sorted by name. They can be replaced all at once while the server is running. Thread-safe.
 */
public final class Feeds {

    private volatile Map<String, Feed> byName;
    private volatile String itemForms;

    /** The feeds before and after they were replaced. A feed that has not changed is the same object. */
    public record Replacement(List<Feed> before, List<Feed> after) {

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
        itemForms = itemForms(byName);
    }

    private static String itemForms(Map<String, Feed> byName) {
        return byName.values().stream()
                .flatMap(feed -> feed.policy().delta().stream())
                .map(Feed.Delta::form)
                .collect(Collectors.joining("\n\n"));
    }

    private static Map<String, Feed> sortByName(Collection<Feed> feeds) {
        Map<String, Feed> byName = new LinkedHashMap<>();
        feeds.stream().sorted(Comparator.comparing(Feed::name)).forEach(feed -> byName.put(feed.name(), feed));
        return byName;
    }

    private static boolean contains(List<Feed> feeds, Feed feed) {
        return feeds.stream().anyMatch(other -> other == feed);
    }

    /** Replaces all feeds. */
    public synchronized Replacement replace(Collection<Feed> feeds) {
        List<Feed> before = all();
        byName = sortByName(feeds);
        itemForms = itemForms(byName);
        return new Replacement(before, all());
    }

    /** The forms of the items of all feeds with delta, as one text. */
    public String itemForms() {
        return itemForms;
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
