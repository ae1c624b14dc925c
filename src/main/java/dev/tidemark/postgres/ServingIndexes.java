package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.ConditionShape.Test;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which orders have an index, and which equality filters one that begins with their column and goes on in the order, as
 * was found at start. The keyset statements take a form that uses it.
 */
final class ServingIndexes {

    private final Set<Use> orders = ConcurrentHashMap.newKeySet();
    private final Map<Use, OrderKey> filters = new ConcurrentHashMap<>();

    private record Use(String feed, String order, String column) {}

    void addOrder(String feed, Order order) {
        orders.add(new Use(feed, order.name(), ""));
    }

    /** @param leading the filter's column as the index sorts it when it is read in the order's direction */
    void addFilter(String feed, Order order, OrderKey leading) {
        filters.put(new Use(feed, order.name(), leading.column().name()), leading);
    }

    Optional<OrderKey> leading(String feed, Order order, Column column) {
        return Optional.ofNullable(filters.get(new Use(feed, order.name(), column.name())));
    }

    /**
     * Whether one index finds the first row of a list with these conditions and reads on without passing by others: the
     * order's own, with bounds on its first key, or one that begins with the only column tested for a value or for NULL.
     */
    boolean serve(String feed, Order order, List<ConditionShape> conditions) {
        Column first = order.keys().get(0).column();
        List<ConditionShape> beside =
                conditions.stream().filter(c -> !c.column().equals(first)).toList();
        boolean bounds =
                conditions.stream().filter(c -> c.column().equals(first)).allMatch(ConditionShape::isRange);
        if (beside.isEmpty()) {
            return bounds && orders.contains(new Use(feed, order.name(), ""));
        }
        ConditionShape only = beside.get(0);
        return bounds
                && beside.size() == 1
                && (only.test() == Test.EQUAL || only.test() == Test.NULL)
                && leading(feed, order, only.column()).isPresent();
    }
}
