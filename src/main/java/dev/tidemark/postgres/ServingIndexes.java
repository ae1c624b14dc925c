package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which equality filters have an index that begins with their column and goes on in an order of their feed, as was found
 * at start. The keyset statements take a form that uses it.
 */
final class ServingIndexes {

    private final Map<Use, OrderKey> found = new ConcurrentHashMap<>();

    private record Use(String feed, String order, String column) {}

    /** @param leading the filter's column as the index sorts it when it is read in the order's direction */
    void add(String feed, Order order, OrderKey leading) {
        found.put(new Use(feed, order.name(), leading.column().name()), leading);
    }

    Optional<OrderKey> find(String feed, Order order, Column column) {
        return Optional.ofNullable(found.get(new Use(feed, order.name(), column.name())));
    }
}
