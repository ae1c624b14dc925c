package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.KeyData;
import dev.tidemark.declare.Table.Kind;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Resolves the embeds of a feed against their tables. Every mismatch is recorded as a fault. */
final class EmbedResolver {

    private static final Set<String> INTEGERS = Set.of("smallint", "integer", "bigint");

    /**
     * Sets of SQL types. A unique index on a column of one type finds values of any other type in the same set,
     * because they belong to one operator family.
     */
    private static final List<Set<String>> FAMILIES =
            List.of(INTEGERS, Set.of("text", "character varying"), Set.of("real", "double precision"));

    private final Table table;
    private final TableColumns tableColumns;
    private final List<Column> key;
    private final boolean hasDelta;
    private final Faults.FeedFaults faults;

    /** @param key the key of the feed */
    EmbedResolver(
            Table table, TableColumns tableColumns, List<Column> key, boolean hasDelta, Faults.FeedFaults faults) {
        this.table = table;
        this.tableColumns = tableColumns;
        this.key = key;
        this.hasDelta = hasDelta;
        this.faults = faults;
    }

    /**
     * A declared embed with its table.
     *
     * @param table empty if there is no such table; another fault is then reported
     * @param keyData what the rows say about the columns of {@code on}, if they are {@linkplain #isDoubtful doubtful}
     */
    record EmbeddedTable(FeedDeclaration.Embed declaration, Optional<Table> table, KeyData keyData) {}

    /** Whether the catalogue does not guarantee that the columns, all of which exist, are a key. */
    static boolean isDoubtful(Table table, List<String> columns) {
        return !table.kind().isKeyTrusted()
                && !columns.isEmpty()
                && columns.stream().allMatch(name -> table.find(name).isPresent())
                && (!table.uniqueKeys().containsKey(Set.copyOf(columns))
                        || columns.stream()
                                .anyMatch(name ->
                                        table.find(name).orElseThrow().column().nullable()));
    }

    /** @return the embeds; not all of them if there are faults */
    List<Embed> resolve(List<EmbeddedTable> declared) {
        List<Embed> embeds = new ArrayList<>();
        for (EmbeddedTable embedded : declared) {
            String name = embedded.declaration().name();
            if (table.find(name).isPresent()) {
                faults.add(
                        "embed." + name,
                        "an embed must not have the name of a "
                                + (isDerived(name) ? "derived column" : "column of " + table.sqlName()));
            }
            embedded.table()
                    .map(other -> resolve(embedded.declaration(), other, embedded.keyData()))
                    .ifPresent(embeds::add);
        }
        return embeds;
    }

    private boolean isDerived(String name) {
        return table.find(name).filter(found -> found.column().isDerived()).isPresent();
    }

    private Embed resolve(FeedDeclaration.Embed declaration, Table other, KeyData keyData) {
        checkTable(declaration, other);
        TableColumns otherColumns = new TableColumns(other, faults);
        List<Embed.Match> on = new ArrayList<>();
        List<TableColumn> found = new ArrayList<>();
        declaration.on().forEach((name, ownName) -> {
            String property = declaration.property("on", name);
            Optional<TableColumn> column = otherColumns.find(property, name);
            Optional<TableColumn> own = tableColumns.find(property, ownName);
            column.ifPresent(found::add);
            own.filter(mapped -> mapped.column().isDerived())
                    .ifPresent(derived -> faults.add(
                            property,
                            "column '" + ownName + "' is derived; map the key to columns of the table itself"));
            if (column.isPresent() && own.isPresent()) {
                on.add(match(property, column.get(), own.get(), keyCollation(declaration, other, column.get())));
            }
        });
        if (found.size() == declaration.on().size() && !found.isEmpty()) {
            checkKey(declaration, other, found, keyData);
        }
        List<Column> columns = new ArrayList<>();
        for (String name : declaration.columns()) {
            otherColumns
                    .find(declaration.property("columns"), name)
                    .map(TableColumn::column)
                    .ifPresent(columns::add);
        }
        return new Embed(
                declaration.name(),
                other.schema(),
                other.name(),
                on,
                columns,
                other.storage().filtered());
    }

    private void checkTable(FeedDeclaration.Embed declaration, Table other) {
        if (hasDelta) {
            other.noRowVersionsReason()
                    .ifPresent(reason -> faults.add(
                            declaration.property("table"),
                            "the feed has delta, so an embedded row needs the id of the transaction that wrote it, as in"
                                    + " tables of PostgreSQL itself, but " + reason));
        }
        if (other.kind().isKeyTrusted()) {
            faults.add(
                    declaration.property("table"),
                    other.sqlName() + " is a "
                            + other.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                            + ", for whose rows the catalogue guarantees no key; only a row of a table can be embedded");
        }
        if (table.storage().shards().isPresent() || other.storage().shards().isPresent()) {
            faults.add(
                    declaration.property("table"),
                    "a row cannot be embedded if its table or the table of the feed is distributed by Citus; use a view"
                            + " that joins them");
        }
    }

    /** Returns the collation in which the key is unique, and its index finds values: that of the index. */
    private static Optional<String> keyCollation(FeedDeclaration.Embed declaration, Table other, TableColumn column) {
        return Optional.ofNullable(other.uniqueKeys()
                .getOrDefault(declaration.on().keySet(), Map.of())
                .get(column.column().name()));
    }

    private Embed.Match match(String property, TableColumn column, TableColumn own, Optional<String> collation) {
        Column ownColumn = FeedResolver.asKeyColumn(own.column(), key);
        if (!indexFinds(column.column().sqlType(), ownColumn.sqlType())) {
            faults.add(
                    property,
                    "column '" + ownColumn.name() + "' of type " + ownColumn.sqlType()
                            + " cannot be compared with the index on column '"
                            + column.column().name() + "' of type "
                            + column.column().sqlType());
        }
        boolean isCommon = collation.equals(column.collation()) && collation.equals(own.collation());
        return new Embed.Match(column.column(), ownColumn, isCommon ? Optional.empty() : collation);
    }

    /** Whether an index on a column of the type {@code indexed} finds values of the type {@code sought}. */
    static boolean indexFinds(String indexed, String sought) {
        return indexed.equals(sought)
                || FAMILIES.stream().anyMatch(family -> family.contains(indexed) && family.contains(sought))
                || indexed.equals("numeric") && INTEGERS.contains(sought);
    }

    /** Statements that the rows contradict would fail, and the mistake is then another one: in {@code on}. */
    private void checkKey(FeedDeclaration.Embed declaration, Table other, List<TableColumn> found, KeyData keyData) {
        if (other.kind().isKeyTrusted()) {
            return;
        }
        boolean isUnique = other.uniqueKeys().containsKey(declaration.on().keySet());
        if (!isUnique) {
            String columns = found.stream().map(TableColumn::sqlName).collect(Collectors.joining(", "));
            List<String> script = other.kind() == Kind.TABLE && keyData.isKey()
                    ? List.of("CREATE UNIQUE INDEX CONCURRENTLY ON " + other.sqlName() + " (" + columns + ");")
                    : List.of();
            faults.add(
                    declaration.property("on"),
                    (keyData.isRepeated()
                                    ? "(" + columns + ") does not identify a row of " + other.sqlName()
                                            + ": several rows have the same values; map the columns of a unique key; "
                                    : "no primary key or unique index of " + other.sqlName() + " consists of ("
                                            + columns + "); ")
                            + other.describeUniqueKeys()
                            + "; partial and deferrable ones do not count"
                            + (script.isEmpty() ? "" : "; missing: " + script.get(0)),
                    script);
        }
        found.stream().filter(column -> column.column().nullable()).forEach(column -> {
            String name = column.column().name();
            List<String> script = keyData.isKey()
                    ? List.of("ALTER TABLE " + other.sqlName() + " ALTER COLUMN " + column.sqlName() + " SET NOT NULL;")
                    : List.of();
            faults.add(
                    declaration.property("on", name),
                    "column '" + name
                            + (keyData.nullColumns().contains(name) ? "' has NULLs" : "' is nullable")
                            + ", so it cannot be part of a key"
                            + (script.isEmpty() ? "" : "; missing: " + script.get(0)),
                    script);
        });
    }
}
