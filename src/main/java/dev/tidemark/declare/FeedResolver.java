package dev.tidemark.declare;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed.Orders;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.Feed.Universal.Strategy;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.feed.Order;
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
    private final TableColumns found;
    private final Faults.ForFeed faults;

    FeedResolver(FeedDeclaration declaration, Table table, Faults.ForFeed faults) {
        this.declaration = declaration;
        this.table = table;
        this.found = new TableColumns(table, faults);
        this.faults = faults;
    }

    /** @return the feed, or nothing when there were faults */
    Optional<Feed> resolve() {
        List<Column> key = key();
        List<Column> columns = columns(key);
        List<Order> orders = new OrderResolver(declaration.orders(), found, faults)
                .resolve(key, key.isEmpty() ? lookAlike(columns) : key);
        Map<String, Filter> filters = filters(key);
        Access access = new Access(declaration.access().roles(), scope(key));
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
                declaration.policy(),
                access));
    }

    private List<Column> key() {
        boolean declared = !declaration.key().isEmpty();
        boolean trusted = table.kind().isKeyTrusted();
        List<String> names = declared || trusted ? declaration.key() : table.primaryKey();
        if (names.isEmpty() && declaration.policy().universal().strategy() == Strategy.CURSOR) {
            faults.add(
                    "key",
                    (trusted
                                    ? "is missing: nothing keeps the rows of a view or an inherited table apart, so name the columns that do"
                                    : "is missing: the table has no primary key, so name the columns of a unique, NOT NULL key")
                            + "; a feed without a key is served by offsets only, with universal.strategy: offset");
        }
        List<Column> key = new ArrayList<>();
        for (String name : names) {
            found.findSortable("key", name).map(TableColumn::column).ifPresent(key::add);
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
            found.find("columns", name).map(c -> known(c.column(), key)).ifPresent(columns::add);
        }
        return columns;
    }

    /** The key's column in the key's own reading of it: of a view, it is known to be NOT NULL. */
    static Column known(Column column, List<Column> key) {
        return key.stream()
                .filter(keyColumn -> keyColumn.name().equals(column.name()))
                .findFirst()
                .orElse(column);
    }

    /** What comes closest to a key where there is none. Rows that tie in all of it are told apart by their text, if they can be. */
    private List<Column> lookAlike(List<Column> columns) {
        return columns.stream()
                .filter(column -> column.type().isComparable() && isDeterministic(column.name()))
                .toList();
    }

    private Map<String, Filter> filters(List<Column> key) {
        Map<String, Filter> filters = new LinkedHashMap<>();
        declaration.filters().forEach((name, kinds) -> {
            String property = "filters." + name;
            Optional<Column> named = found.find(property, name).map(c -> known(c.column(), key));
            if (named.isEmpty() || kinds.isEmpty()) {
                return;
            }
            Column column = named.get();
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

    private List<Access.Scope> scope(List<Column> key) {
        List<Access.Scope> scope = new ArrayList<>();
        declaration.access().scope().forEach((name, claim) -> {
            String property = "scope." + name;
            found.find(property, name).map(c -> known(c.column(), key)).ifPresent(column -> {
                if (!column.type().isComparable()) {
                    faults.add(property, "a column of type " + column.sqlType() + " equals no claim");
                } else if (LooseEquality.differentInputsCanBeEqual(column)) {
                    faults.add(
                            property,
                            "a column of type " + column.sqlType()
                                    + " compares loosely, and the rows of others may equal a claim");
                } else if (!isDeterministic(name)) {
                    faults.add(
                            property, "has a nondeterministic collation, under which the rows of others may equal it");
                }
                scope.add(new Access.Scope(column, claim));
            });
        });
        return scope;
    }

    private boolean isDeterministic(String column) {
        return table.find(column).map(TableColumn::deterministic).orElse(true);
    }
}
