package dev.tidemark.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All feeds of this server, sorted by name. Their names and declarations never change. A feed whose table has changed
 * can be replaced by what was read of the table again. Thread-safe.
 */
public final class Feeds {

    private final List<Runnable> followers = new ArrayList<>();
    private volatile Map<String, Feed> byName;
    private volatile String itemForms;

    public Feeds(Collection<Feed> feeds) {
        Map<String, Feed> sorted = new LinkedHashMap<>();
        feeds.stream().sorted(Comparator.comparing(Feed::name)).forEach(feed -> sorted.put(feed.name(), feed));
        byName = sorted;
        itemForms = itemForms(sorted);
    }

    private static String itemForms(Map<String, Feed> byName) {
        return byName.values().stream()
                .flatMap(feed -> feed.policy().delta().stream())
                .map(Feed.Delta::form)
                .collect(Collectors.joining("\n\n"));
    }

    /** Runs the action now, and whenever a feed has been replaced. No two actions run at the same time. */
    public synchronized void follow(Runnable action) {
        followers.add(action);
        action.run();
    }

    /**
     * Serves a feed that was read again instead of its previous version, and runs the actions of {@link #follow}. A
     * request that has already found its feed continues with that feed.
     *
     * @return false if the previous version is no longer served
     */
    public synchronized boolean replace(Feed previous, Feed current) {
        if (!contains(previous)) {
            return false;
        }
        Map<String, Feed> replaced = new LinkedHashMap<>(byName);
        replaced.put(current.name(), current);
        byName = replaced;
        itemForms = itemForms(replaced);
        followers.forEach(Runnable::run);
        return true;
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
