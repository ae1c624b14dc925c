package dev.tidemark.feed;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A named sort of a feed, total where the feed has a key.
 *
 * @param keys what was declared, then the feed's key columns that were not, so that no two rows tie; of a feed without a
 *     key, the columns it shows, so that only rows tie that look alike
 * @param live whether it is led by a timestamp that every edit sets to the present
 */
public record Order(String name, List<OrderKey> keys, boolean live) {

    public Order {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("an order has at least one key");
        }
    }

    /**
     * Whether an item that moves to the present can come to lie ahead of a scroll that has shown it. It cannot where the
     * greatest values come first.
     */
    public boolean isPinned() {
        OrderKey first = keys.get(0);
        return live && !(first.descending() && (!first.column().nullable() || !first.nullsFirst()));
    }

    /**
     * What a cursor of this order depends on: the columns with their types, directions and the place of NULLs. Its name
     * is not part of it.
     */
    public String definition() {
        return keys.stream()
                .map(key -> '"' + key.column().name().replace("\"", "\"\"") + "\" "
                        + key.column().sqlType() + (key.descending() ? " desc" : " asc")
                        + (key.nullsFirst() ? " nulls first" : " nulls last"))
                .collect(Collectors.joining(", ", live ? "live " : "", ""));
    }
}
