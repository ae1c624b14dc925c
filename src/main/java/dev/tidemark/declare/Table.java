package dev.tidemark.declare;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.feed.Feed.Relation.Storage;
import dev.tidemark.feed.TextSources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table or view, as described by the database catalogue.
 *
 * @param sqlSchema with quotes if SQL requires them
 * @param sqlName schema-qualified, with quotes if SQL requires them
 * @param noRowVersionsReason why the rows do not contain the id of the transaction that wrote them; empty if they do
 * @param columns in declaration order, followed by the derived columns of the feed
 * @param primaryKey the columns in key order; empty if there is no primary key
 * @param uniqueKeys the sets of columns of all valid unique indexes that are neither partial, nor deferrable, nor on
 *     expressions; for each set, the SQL names of the index's collations by column
 */
public record Table(
        String schema,
        String name,
        String sqlSchema,
        String sqlName,
        Kind kind,
        Storage storage,
        Optional<String> noRowVersionsReason,
        List<TableColumn> columns,
        List<String> primaryKey,
        Map<Set<String>, Map<String, String>> uniqueKeys) {

    /** The kind of the relation. */
    public enum Kind {
        TABLE(false),
        PARTITIONED_TABLE(false),
        /**
         * A table with child tables by inheritance, or with foreign partitions. Its key and indexes do not cover the
         * rows of the child tables and foreign partitions.
         */
        PARENT_TABLE(true),
        MATERIALIZED_VIEW(true),
        /** A view or a foreign table. */
        VIEW_OR_FOREIGN_TABLE(true);

        private final boolean keyTrusted;

        Kind(boolean keyTrusted) {
            this.keyTrusted = keyTrusted;
        }

        /**
         * Whether a declared key is trusted to be unique and NOT NULL. This is so for each kind of relation for which
         * the catalogue does not guarantee a key for all rows.
         */
        public boolean isKeyTrusted() {
            return keyTrusted;
        }
    }

    /**
     * A column of the table.
     *
     * @param sqlName with quotes if SQL requires them; for a derived column, its expression in parentheses
     * @param deterministic whether different texts are never equal in the column's collation. Sort keys require this
     * @param collation the SQL name of the column's collation; empty if its type has none
     * @param textSources what the text of the column's values depends on
     */
    public record TableColumn(
            Column column, String sqlName, boolean deterministic, Optional<String> collation, TextSources textSources) {
        private TableColumn withEpoch(EpochType.Unit unit) {
            return new TableColumn(
                    column.withType(new EpochType(unit), "bigint"), sqlName, deterministic, collation, textSources);
        }
    }

    public Table withShards(Shards shards) {
        return new Table(
                schema,
                name,
                sqlSchema,
                sqlName,
                kind,
                new Storage(storage.partitioned(), storage.foreign(), storage.filtered(), Optional.of(shards), false),
                noRowVersionsReason,
                columns,
                primaryKey,
                uniqueKeys);
    }

    /** Returns this table with derived columns after its own. */
    Table withDerived(List<TableColumn> derived) {
        return withColumns(Stream.concat(columns.stream(), derived.stream()));
    }

    /** Returns this table with the whole numbers of a column as times. */
    public Table withEpoch(String column, EpochType.Unit unit) {
        return withColumns(
                columns.stream().map(found -> found.column().name().equals(column) ? found.withEpoch(unit) : found));
    }

    private Table withColumns(Stream<TableColumn> changed) {
        return new Table(
                schema,
                name,
                sqlSchema,
                sqlName,
                kind,
                storage,
                noRowVersionsReason,
                changed.toList(),
                primaryKey,
                uniqueKeys);
    }

    /** Returns the end of a sentence that lists the unique keys. */
    String describeUniqueKeys() {
        return uniqueKeys.isEmpty()
                ? "the table has none"
                : "the unique keys are: "
                        + uniqueKeys.keySet().stream()
                                .map(columns -> columns.stream().sorted().collect(Collectors.joining(", ", "(", ")")))
                                .collect(Collectors.joining(", "));
    }

    /** Returns what the text of the values of all columns depends on. */
    public TextSources textSources() {
        return TextSources.union(columns.stream().map(TableColumn::textSources).toList());
    }

    /** Returns the names of the columns that a condition can depend on; see {@link ConditionText#columns}. */
    Set<String> conditionColumns(String condition) {
        return ConditionText.columns(
                condition,
                name,
                columns.stream().map(column -> column.column().name()).collect(Collectors.toSet()));
    }

    public Optional<TableColumn> find(String column) {
        return columns.stream().filter(c -> c.column().name().equals(column)).findFirst();
    }
}
