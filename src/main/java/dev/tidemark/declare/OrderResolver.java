package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.OrderTerm;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;

/** Holds the orders of one declaration against the table. */
final class OrderResolver {

    private final FeedDeclaration.Orders declaration;
    private final TableColumns table;
    private final Faults.ForFeed faults;

    OrderResolver(FeedDeclaration.Orders declaration, TableColumns table, Faults.ForFeed faults) {
        this.declaration = declaration;
        this.table = table;
        this.faults = faults;
    }

    /**
     * @param key the feed's key; empty where it has none
     * @param tieBreakers what is appended to every order: the key's columns, or what comes closest to a key
     */
    List<Order> resolve(List<Column> key, List<Column> tieBreakers) {
        List<Order> orders = new ArrayList<>();
        declaration.terms().forEach((name, terms) -> {
            String property = "orders." + name;
            boolean live = declaration.live().contains(name);
            List<OrderKey> keys = new ArrayList<>();
            for (OrderTerm term : terms) {
                table.findSortable(property, term.column())
                        .map(TableColumn::column)
                        .map(column -> FeedResolver.known(column, key))
                        .ifPresent(column -> keys.add(orderKey(column, term)));
            }
            if (keys.isEmpty() || keys.size() < terms.size()) {
                return;
            }
            if (live && !isTimestamp(keys.get(0).column())) {
                faults.add("live-orders", "order " + name + " is not led by a timestamp that every edit sets to now");
            } else if (live && key.isEmpty()) {
                faults.add(
                        "live-orders", "order " + name + " is of a feed without a key, whose scrolls cannot be pinned");
            }
            orders.add(new Order(name, completed(keys, tieBreakers), live));
        });
        return orders;
    }

    private static OrderKey orderKey(Column column, OrderTerm term) {
        return new OrderKey(column, term.descending(), term.nullsFirst().orElse(term.descending()));
    }

    private static boolean isTimestamp(Column column) {
        return column.type() == Scalar.TIMESTAMP || column.type() == Scalar.TIMESTAMPTZ;
    }

    /** Appends the tie-breakers that are missing, in the direction of the last declared column. */
    private static List<OrderKey> completed(List<OrderKey> declared, List<Column> tieBreakers) {
        List<OrderKey> completed = new ArrayList<>(declared);
        boolean descending = declared.get(declared.size() - 1).descending();
        for (Column column : tieBreakers) {
            if (declared.stream().noneMatch(part -> part.column().name().equals(column.name()))) {
                completed.add(new OrderKey(column, descending, descending));
            }
        }
        return completed;
    }
}
