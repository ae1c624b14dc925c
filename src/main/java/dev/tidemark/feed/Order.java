package dev.tidemark.feed;

import java.util.List;
import java.util.stream.Collectors;

/** A named sort order of a feed. It is total if the feed has a key. */
public final class Order {

    private final String name;
    private final List<OrderKey> keys;
    private final boolean live;

    /** Each request needs it. */
    private final String definition;

    /**
     * The order in which the values of a column are found, and its NULLs last. It is not total, so no list has it; the
     * indexes that provide it serve counts by value.
     */
    public static Order ofValues(Column by) {
        return new Order("counts?by=" + by.name(), List.of(new OrderKey(by, false, false)), false);
    }

    /**
     * @param keys the declared keys, then tie-breakers: the remaining columns of the feed's key. The tie-breakers of a
     *     feed without a key are those of its output columns that can be sort keys
     * @param live whether the leading key is a time that every edit sets to the current time
     */
    public Order(String name, List<OrderKey> keys, boolean live) {
        this.name = name;
        this.keys = List.copyOf(keys);
        this.live = live;
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("an order needs at least one key");
        }
        this.definition = keys.stream()
                .map(key -> SqlQuoting.quoteIdentifier(key.column().definition()) + " "
                        + key.column().positionType() + (key.descending() ? " desc" : " asc")
                        + (key.declaredNullsFirst() ? " nulls first" : " nulls last"))
                .collect(Collectors.joining(", ", live ? "live " : "", ""));
    }

    public String name() {
        return name;
    }

    public List<OrderKey> keys() {
        return keys;
    }

    public boolean live() {
        return live;
    }

    /**
     * Whether a forward scroll needs a {@link dev.tidemark.paging.Pin}, because an edit can move an item ahead of a
     * scroll that has already returned it. This cannot happen if the greatest values come first, before NULLs.
     */
    public boolean needsPin() {
        OrderKey first = keys.get(0);
        return live && !(first.descending() && (!first.column().nullable() || !first.nullsFirst()));
    }

    /**
     * Everything that cursors of this order depend on: its columns, their types, directions, and declared NULL
     * ordering, and whether it is live, but not its name. A NOT NULL constraint can come or go during a scroll, so it
     * is not part of it.
     */
    public String definition() {
        return definition;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Order order && name.equals(order.name) && keys.equals(order.keys) && live == order.live;
    }

    @Override
    public int hashCode() {
        return definition.hashCode();
    }

    @Override
    public String toString() {
        return "Order[" + name + ']';
    }
}
