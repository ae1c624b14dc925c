package dev.tidemark.feed;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All feeds of this server, sorted by name. They do not change while the server runs. */
public final class Feeds {

    private final List<Feed> all;
    private final Map<String, Feed> byName;

    public Feeds(Collection<Feed> feeds) {
        all = feeds.stream().sorted(Comparator.comparing(Feed::name)).toList();
        byName = all.stream().collect(Collectors.toUnmodifiableMap(Feed::name, Function.identity()));
    }

    public List<Feed> all() {
        return all;
    }

    public Optional<Feed> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
