package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.OrderTerm;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Orders;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Holds one declaration against the table it names; whatever is wrong becomes a fault. */
final class FeedResolver {

    private final FeedDeclaration declaration;
    private final Table table;
    private final Faults.OfFeed faults;

    FeedResolver(FeedDeclaration declaration, Table table, Faults.OfFeed faults) {
        this.declaration = declaration;
        this.table = table;
        this.faults = faults;
    }

    /** @return the feed, or nothing when there were faults */
    Optional<Feed> resolve() {
        List<Column> key = key();
        List<Column> columns = columns(key);
        List<Order> orders = orders(key);
        Map<String, Filter> filters = filters(key);
        if (!faults.isEmpty()) {
            return Optional.empty();
        }
        Order byDefault = orders.stream()
                .filter(order -> order.name().equals(declaration.orders().byDefault()))
                .findFirst()
                .orElseThrow();
        return Optional.of(new Feed(
                declaration.name(),
                new Relation(table.schema(), table.name(), key, declaration.visible()),
                columns,
                new Orders(orders, byDefault),
                filters,
                declaration.policy()));
    }

    private List<Column> key() {
        boolean declared = !declaration.key().isEmpty();
        boolean trusted = table.kind().isKeyTrusted();
        List<String> names = declared || trusted ? declaration.key() : table.primaryKey();
        if (names.isEmpty()) {
            faults.add(
                    "key",
                    trusted
                            ? "is missing: nothing keeps the rows of a view or an inherited table apart, so name the columns that do"
                            : "is missing: the table has no primary key, so name the columns of a unique, NOT NULL key");
        }
        List<Column> key = new ArrayList<>();
        for (String name : names) {
            keyColumn("key", name).ifPresent(key::add);
        }
        if (trusted) {
            return key.stream().map(FeedResolver::trustedNotNull).toList();
        }
        key.stream()
                .filter(Column::nullable)
                .forEach(column ->
                        faults.add("key", "column " + column.name() + " may be NULL, so it tells no rows apart"));
        if (declared && table.uniqueKeys().stream().noneMatch(Set.copyOf(names)::containsAll)) {
            faults.add("key", "no primary key or unique index keeps (" + String.join(", ", names) + ") unique");
        }
        return key;
    }

    /** Nothing in the catalogue says that a view's column is never NULL; the declaration of a key does. */
    private static Column trustedNotNull(Column column) {
        return new Column(column.name(), column.type(), column.sqlType(), false);
    }

    private List<Column> columns(List<Column> key) {
        if (declaration.columns().isEmpty()) {
            return table.columns().stream().map(c -> known(c.column(), key)).toList();
        }
        List<Column> columns = new ArrayList<>();
        for (String name : declaration.columns()) {
            column("columns", name).map(found -> known(found.column(), key)).ifPresent(columns::add);
        }
        return columns;
    }

    private List<Order> orders(List<Column> key) {
        List<Order> orders = new ArrayList<>();
        declaration.orders().terms().forEach((name, terms) -> {
            String property = "orders." + name;
            boolean live = declaration.orders().live().contains(name);
            List<OrderKey> keys = new ArrayList<>();
            for (OrderTerm term : terms) {
                keyColumn(property, term.column())
                        .map(column -> known(column, key))
                        .ifPresent(column -> keys.add(orderKey(column, term)));
            }
            if (keys.isEmpty() || keys.size() < terms.size()) {
                return;
            }
            if (live && !isTimestamp(keys.get(0).column())) {
                faults.add("live-orders", "order " + name + " is not led by a timestamp that every edit sets to now");
            }
            orders.add(new Order(name, total(keys, key), live));
        });
        return orders;
    }

    /** The key's column in the key's own reading of it: of a view, it is known to be NOT NULL. */
    private static Column known(Column column, List<Column> key) {
        return key.stream()
                .filter(keyColumn -> keyColumn.name().equals(column.name()))
                .findFirst()
                .orElse(column);
    }

    private static OrderKey orderKey(Column column, OrderTerm term) {
        return new OrderKey(column, term.descending(), term.nullsFirst().orElse(term.descending()));
    }

    private static boolean isTimestamp(Column column) {
        return column.type() == Scalar.TIMESTAMP || column.type() == Scalar.TIMESTAMPTZ;
    }

    /** Appends the key's columns that are missing, in the direction of the last declared column. */
    private static List<OrderKey> total(List<OrderKey> declared, List<Column> key) {
        List<OrderKey> total = new ArrayList<>(declared);
        boolean descending = declared.get(declared.size() - 1).descending();
        for (Column column : key) {
            if (declared.stream().noneMatch(part -> part.column().name().equals(column.name()))) {
                total.add(new OrderKey(column, descending, descending));
            }
        }
        return total;
    }

    private Map<String, Filter> filters(List<Column> key) {
        Map<String, Filter> filters = new LinkedHashMap<>();
        declaration.filters().forEach((name, kinds) -> {
            String property = "filters." + name;
            Optional<Column> found = column(property, name).map(c -> known(c.column(), key));
            if (found.isEmpty() || kinds.isEmpty()) {
                return;
            }
            Column column = found.get();
            if (!column.type().isComparable()) {
                faults.add(property, "a column of type " + column.sqlType() + " cannot be filtered by");
            }
            if (column.type().isComparable() && kinds.contains(Filter.Kind.TEXT)) {
                if (column.type() != Scalar.TEXT) {
                    faults.add(property, "kind text is for text columns, and this one is " + column.sqlType());
                } else if (!isDeterministic(name)) {
                    faults.add(property, "kind text is not for columns of a nondeterministic collation");
                }
            }
            filters.put(name, new Filter(column, kinds));
        });
        return filters;
    }

    private boolean isDeterministic(String column) {
        return table.find(column).map(TableColumn::deterministic).orElse(true);
    }

    private Optional<Column> keyColumn(String property, String name) {
        Optional<TableColumn> found = column(property, name);
        found.ifPresent(column -> {
            if (!column.column().type().isComparable()) {
                faults.add(
                        property,
                        "column " + name + " of type " + column.column().sqlType() + " has no place in an order");
            } else if (!column.deterministic()) {
                faults.add(
                        property,
                        "column " + name + " has a nondeterministic collation, under which different texts tie");
            }
        });
        return found.map(TableColumn::column);
    }

    private Optional<TableColumn> column(String property, String name) {
        Optional<TableColumn> column = table.find(name);
        if (column.isEmpty()) {
            faults.add(
                    property,
                    "there is no column " + name + " in " + table.schema() + "." + table.name()
                            + "; its columns are "
                            + String.join(
                                    ", ",
                                    table.columns().stream()
                                            .map(c -> c.column().name())
                                            .toList()));
        }
        return column;
    }
}
