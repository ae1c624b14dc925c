package dev.tidemark.declare;

import dev.tidemark.declare.EmbedResolver.EmbeddedTable;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Orders;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.Feed.Search;
import dev.tidemark.feed.Feed.TableName;
import dev.tidemark.feed.Feed.UniversalPolicy.Strategy;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.ServingIndexes;
import dev.tidemark.feed.TextSources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Builds a feed from its declaration and its table. Every mismatch is recorded as a fault. */
final class FeedResolver {

    /** The types of columns that {@code epoch} can be declared for. */
    private static final Set<ColumnType> EPOCH_TYPES = Set.of(Scalar.SMALLINT, Scalar.INTEGER, Scalar.BIGINT);

    private final FeedDeclaration declaration;
    private final Table declaredTable;

    /** The table, with the types that {@code epoch} gives to its columns. */
    private final Table table;

    private final List<EmbeddedTable> embeddedTables;
    private final List<Optional<Table>> membershipTables;
    private final List<Table> notifyingTables;
    private final TableColumns tableColumns;
    private final Faults.FeedFaults faults;

    /**
     * @param membershipTables the tables of the declared memberships, in their order; an empty element if there is no
     *     such table
     * @param notifyingTables the tables of {@code notify-on}
     */
    FeedResolver(
            FeedDeclaration declaration,
            Table table,
            List<EmbeddedTable> embeddedTables,
            List<Optional<Table>> membershipTables,
            List<Table> notifyingTables,
            Faults.FeedFaults faults) {
        this.declaration = declaration;
        this.declaredTable = table;
        this.table = withEpochs(table, declaration.epochs(), faults);
        this.embeddedTables = embeddedTables;
        this.membershipTables = membershipTables;
        this.notifyingTables = notifyingTables;
        this.tableColumns = new TableColumns(this.table, declaration.derived().keySet(), faults);
        this.faults = faults;
    }

    private static Table withEpochs(Table table, Map<String, EpochType.Unit> epochs, Faults.FeedFaults faults) {
        Table changed = table;
        for (Map.Entry<String, EpochType.Unit> epoch : epochs.entrySet()) {
            String property = "epoch." + epoch.getKey();
            Optional<Column> column = new TableColumns(table, faults)
                    .find(property, epoch.getKey())
                    .map(TableColumn::column);
            if (column.isPresent() && EPOCH_TYPES.contains(column.get().type())) {
                changed = changed.withEpoch(epoch.getKey(), epoch.getValue());
            } else {
                column.ifPresent(other -> faults.add(
                        property,
                        "column '" + other.name() + "' is of type " + other.sqlType()
                                + ", and epoch is only for whole numbers: smallint, integer, and bigint"));
            }
        }
        return changed;
    }

    /** @return the feed; empty if there are faults */
    Optional<Feed> resolve() {
        List<Column> key = key();
        List<Column> columns = columns(key);
        List<Order> orders = new OrderResolver(declaration.orders(), tableColumns, faults)
                .resolve(key, key.isEmpty() ? outputTieBreakers(columns) : key);
        List<Embed> embeds = new EmbedResolver(
                        table, tableColumns, key, declaration.policy().delta().isPresent(), faults)
                .resolve(embeddedTables);
        Map<String, Filter> filters = filters(key);
        List<Column> counts = counts(key);
        List<Column> searchColumns = searchColumns(key);
        Access access = new Access(declaration.access().roles(), scope(key));
        checkDelta(key, columns);
        if (!faults.isEmpty()) {
            return Optional.empty();
        }
        Order byDefault = orders.stream()
                .filter(order -> order.name().equals(declaration.orders().defaultOrder()))
                .findFirst()
                .orElseThrow();
        return Optional.of(new Feed(
                        declaration.name(),
                        new Relation(
                                table.schema(),
                                table.name(),
                                key,
                                declaration.visible(),
                                conditionColumns(),
                                table.storage()),
                        columns,
                        embeds,
                        notifyingTables.stream()
                                .map(notifying -> new TableName(notifying.schema(), notifying.name()))
                                .toList(),
                        new Orders(orders, byDefault),
                        filters,
                        counts,
                        declaration
                                .policy()
                                .withSearch(new Search(
                                        searchColumns,
                                        declaration.policy().search().scan())),
                        access,
                        ServingIndexes.NONE)
                .withTextSources(textSources(columns)));
    }

    /** Returns what the text of the values of items depends on. */
    private TextSources textSources(List<Column> columns) {
        List<TextSources> sources = new ArrayList<>();
        columns.forEach(column -> sources.add(
                table.find(column.name()).map(TableColumn::textSources).orElseThrow()));
        embeddedTables.forEach(embedded -> embedded.declaration()
                .columns()
                .forEach(name -> sources.add(embedded.table()
                        .flatMap(other -> other.find(name))
                        .map(TableColumn::textSources)
                        .orElseThrow())));
        return TextSources.union(sources);
    }

    private Set<String> conditionColumns() {
        return table.storage().filtered()
                ? table.columns().stream().map(column -> column.column().name()).collect(Collectors.toSet())
                : declaration.visible().map(table::conditionColumns).orElse(Set.of());
    }

    private List<Column> key() {
        boolean declared = !declaration.key().isEmpty();
        boolean trusted = table.kind().isKeyTrusted();
        List<String> names = declared || trusted ? declaration.key() : table.primaryKey();
        if (names.isEmpty() && declaration.policy().universal().strategy() == Strategy.CURSOR) {
            faults.add(
                    "key",
                    (trusted
                                    ? "is missing: the catalogue guarantees no key for the rows of a view, foreign table, or parent table, so list the columns that identify a row"
                                    : "is missing: the table has no primary key, so list the columns of a unique, NOT NULL key")
                            + "; a feed without a key can be served by offset only, with universal.strategy: offset");
        }
        List<Column> key = new ArrayList<>();
        for (String name : names) {
            tableColumns.findSortable("key", name).map(TableColumn::column).ifPresent(column -> {
                if (column.isDerived()) {
                    faults.add("key", "column '" + name + "' is derived, so it cannot be part of a key");
                }
                key.add(column);
            });
        }
        if (trusted) {
            return key.stream().map(FeedResolver::asNotNull).toList();
        }
        key.stream()
                .filter(Column::nullable)
                .forEach(column ->
                        faults.add("key", "column '" + column.name() + "' is nullable, so it cannot be part of a key"));
        if (declared && table.uniqueKeys().keySet().stream().noneMatch(Set.copyOf(names)::containsAll)) {
            faults.add(
                    "key",
                    "no primary key or unique index makes (" + String.join(", ", names) + ") unique; "
                            + table.describeUniqueKeys());
        }
        return key;
    }

    /**
     * Returns a copy of the column, marked as NOT NULL. The catalogue reports every column of a view as nullable, but
     * a declared key is trusted to contain no NULLs.
     */
    private static Column asNotNull(Column column) {
        return column.asNotNull();
    }

    private List<Column> columns(List<Column> key) {
        if (declaration.columns().isEmpty()) {
            return table.columns().stream()
                    .map(c -> asKeyColumn(c.column(), key))
                    .toList();
        }
        List<Column> columns = new ArrayList<>();
        for (String name : declaration.columns()) {
            tableColumns
                    .find("columns", name)
                    .map(c -> asKeyColumn(c.column(), key))
                    .ifPresent(columns::add);
        }
        return columns;
    }

    /**
     * Returns the column, marked as NOT NULL if it is part of the key, even for a view.
     */
    static Column asKeyColumn(Column column, List<Column> key) {
        return key.stream().anyMatch(keyColumn -> keyColumn.name().equals(column.name())) ? asNotNull(column) : column;
    }

    /** Returns the tie-breakers of a feed without a key: all output columns that can be sort keys. */
    private List<Column> outputTieBreakers(List<Column> columns) {
        return columns.stream()
                .filter(column -> column.type().isComparable() && isDeterministic(column.name()))
                .toList();
    }

    private Map<String, Filter> filters(List<Column> key) {
        Map<String, Filter> filters = new LinkedHashMap<>();
        declaration.filters().forEach((name, kinds) -> {
            String property = "filters." + name;
            Optional<Column> named = tableColumns.find(property, name).map(c -> asKeyColumn(c.column(), key));
            if (named.isEmpty() || kinds.isEmpty()) {
                return;
            }
            Column column = named.get();
            if (!column.type().isComparable()) {
                faults.add(property, "a column of type " + column.sqlType() + " cannot be a filter");
            }
            if (column.type().isComparable() && kinds.contains(Filter.Kind.TEXT)) {
                if (column.type() != Scalar.TEXT) {
                    faults.add(property, "kind text requires a text column, but the type is " + column.sqlType());
                } else if (!isDeterministic(name)) {
                    faults.add(property, "kind text does not support a nondeterministic collation");
                }
            }
            filters.put(name, new Filter(column, kinds));
        });
        return filters;
    }

    private List<Column> counts(List<Column> key) {
        List<Column> counts = new ArrayList<>();
        for (String name : declaration.counts()) {
            tableColumns
                    .findComparable("counts", name, "be counted by")
                    .map(column -> asKeyColumn(column.column(), key))
                    .ifPresent(counts::add);
        }
        return counts;
    }

    private List<Column> searchColumns(List<Column> key) {
        String property = "search.columns";
        List<Column> columns = new ArrayList<>();
        for (String name : declaration.searchColumns()) {
            tableColumns
                    .find(property, name)
                    .map(c -> asKeyColumn(c.column(), key))
                    .ifPresent(column -> {
                        if (column.type() != Scalar.TEXT) {
                            faults.add(
                                    property,
                                    "column '" + name + "' is of type " + column.sqlType()
                                            + ", and only text can be searched");
                        } else if (!isDeterministic(name)) {
                            faults.add(
                                    property,
                                    "column '" + name + "' has a nondeterministic collation, which cannot be searched");
                        }
                        columns.add(column);
                    });
        }
        if (key.isEmpty() && !columns.isEmpty() && declaration.key().isEmpty()) {
            faults.add(PolicyParser.SEARCH, "needs a key, because the pages of a search are continued by cursor");
        }
        return columns;
    }

    private List<Access.Scope> scope(List<Column> key) {
        ScopeResolver resolver = new ScopeResolver(
                declaredTable,
                new TableColumns(declaredTable, declaration.derived().keySet(), faults),
                key,
                faults);
        List<Access.Scope> scope =
                new ArrayList<>(resolver.claims(declaration.access().scope()));
        scope.addAll(resolver.memberships(declaration.access().memberships(), membershipTables));
        return scope;
    }

    private void checkDelta(List<Column> key, List<Column> columns) {
        if (declaration.policy().delta().isEmpty()) {
            return;
        }
        table.noRowVersionsReason()
                .ifPresent(reason -> faults.add(
                        "delta",
                        "needs rows with the id of the transaction that wrote them, as in tables and materialized views of"
                                + " PostgreSQL itself, but " + reason));
        if (declaration.key().isEmpty() && key.isEmpty()) {
            faults.add("delta", "needs a key, by which clients find their copies of items");
        }
        key.stream()
                .filter(column -> !columns.contains(column))
                .forEach(column -> faults.add(
                        "delta",
                        "needs the key among the columns, so that clients find their copies of items, but '"
                                + column.name() + "' is missing"));
    }

    /** Records a fault if the table, one of {@code notify-on}, cannot notify. */
    static void checkNotifies(Table notifying, Faults.FeedFaults faults) {
        Optional<String> reason =
                switch (notifying.kind()) {
                    case MATERIALIZED_VIEW -> Optional.of("is a materialized view, and its refresh runs no trigger");
                    case VIEW_OR_FOREIGN_TABLE ->
                        Optional.of(
                                notifying.storage().foreign()
                                        ? "is a foreign table, and changes on its server run no trigger here"
                                        : "is a view, and changes to the tables that it reads run no trigger of the view;"
                                                + " list these tables instead");
                    case TABLE, PARTITIONED_TABLE, PARENT_TABLE ->
                        notifying.storage().shards().isPresent()
                                ? Optional.of("is distributed by Citus, which changes the shards and runs no trigger of"
                                        + " the table")
                                : Optional.empty();
                };
        reason.ifPresent(why -> faults.add(DeclarationParser.NOTIFY_ON, notifying.sqlName() + ' ' + why));
    }

    private boolean isDeterministic(String column) {
        return table.find(column).map(TableColumn::deterministic).orElse(true);
    }
}
