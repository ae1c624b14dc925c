package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.OrderTerm;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;

/** Builds the orders of a feed from its declaration and the table. */
final class OrderResolver {

    private final FeedDeclaration.Orders declaration;
    private final TableColumns table;
    private final Faults.FeedFaults faults;

    OrderResolver(FeedDeclaration.Orders declaration, TableColumns table, Faults.FeedFaults faults) {
        this.declaration = declaration;
        this.table = table;
        this.faults = faults;
    }

    /**
     * @param key the feed's key; empty if it has none
     * @param tieBreakers the columns to append to every order
     */
    List<Order> resolve(List<Column> key, List<Column> tieBreakers) {
        List<Order> orders = new ArrayList<>();
        declaration.termsByName().forEach((name, terms) -> {
            String property = "orders." + name;
            boolean live = declaration.liveOrders().contains(name);
            List<OrderKey> keys = new ArrayList<>();
            for (OrderTerm term : terms) {
                table.findSortable(property, term.column())
                        .map(TableColumn::column)
                        .map(column -> FeedResolver.asKeyColumn(column, key))
                        .ifPresent(column -> keys.add(orderKey(column, term)));
            }
            if (keys.isEmpty() || keys.size() < terms.size()) {
                return;
            }
            if (live && !isTimestamp(keys.get(0).column())) {
                faults.add(
                        "live-orders",
                        "the first column of order '" + name
                                + "' must be a timestamp that every edit sets to the current time");
            } else if (live && keys.get(0).column().isDerived()) {
                faults.add(
                        "live-orders",
                        "order '" + name + "' cannot be live, because its first column is derived: no edit sets it");
            } else if (live && key.isEmpty()) {
                faults.add("live-orders", "order '" + name + "' cannot be live, because the feed has no key");
            }
            orders.add(new Order(name, withTieBreakers(keys, tieBreakers), live));
        });
        return orders;
    }

    private static OrderKey orderKey(Column column, OrderTerm term) {
        return new OrderKey(column, term.descending(), term.nullsFirst().orElse(term.descending()));
    }

    private static boolean isTimestamp(Column column) {
        return column.type() == Scalar.TIMESTAMP
                || column.type() == Scalar.TIMESTAMPTZ
                || column.type() instanceof EpochType;
    }

    /** Appends the missing tie-breakers, in the direction of the last declared column. */
    private static List<OrderKey> withTieBreakers(List<OrderKey> declaredKeys, List<Column> tieBreakers) {
        List<OrderKey> completed = new ArrayList<>(declaredKeys);
        boolean descending = declaredKeys.get(declaredKeys.size() - 1).descending();
        for (Column column : tieBreakers) {
            if (declaredKeys.stream().noneMatch(part -> part.column().name().equals(column.name()))) {
                completed.add(new OrderKey(column, descending, descending));
            }
        }
        return completed;
    }
}
