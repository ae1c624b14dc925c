package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.catalogue.PlannedSort.SortKey;
import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import dev.tidemark.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How to create an index, if possible without blocking writes. The name of the index is derived from its table and
 * columns, so that running the script again does not create a second index. For partitioned Citus tables, PostgreSQL
 * chooses the name, so the script must be run only once.
 *
 * @param explanation what to know before running the script; can be empty
 * @param script the lines that create the index in psql; empty if the index must be on another relation or server
 */
record IndexAdvice(String explanation, List<String> script) {

    /** PostgreSQL truncates a name to 63 bytes. The suffix has at most 13. */
    private static final int MAX_BYTES_BEFORE_SUFFIX = 50;

    private static final Pattern UNQUOTED_NAME = Pattern.compile("[a-z_][a-z0-9_]*");

    /** @param reason why no index can be created */
    static IndexAdvice none(String reason) {
        return new IndexAdvice(reason, List.of());
    }

    static IndexAdvice of(Table table, List<OrderKey> keys, InvalidIndexes invalidIndexes) {
        String columns = keys.stream()
                .map(key -> table.find(key.column().name()).orElseThrow().sqlName() + Sql.sortDirection(key))
                .collect(Collectors.joining(", "));
        String suffix = suffix(columns);
        return of(table, keys, columns, suffix).reindexing(invalidIndexes.sqlNames(TableName.of(table), suffix));
    }

    /**
     * Returns an index that replaces a sort.
     *
     * @param sqlName the name of the sort's table
     */
    static IndexAdvice of(PlannedSort sort, String sqlName, InvalidIndexes invalidIndexes) {
        String columns = sort.keys().stream().map(SortKey::sql).collect(Collectors.joining(", "));
        String suffix = suffix(columns);
        String name = name(sort.table().name(), sort.keys().stream().map(SortKey::column), suffix);
        return new IndexAdvice("", List.of(createConcurrently(name, sqlName, columns)))
                .reindexing(invalidIndexes.sqlNames(sort.table(), suffix));
    }

    private IndexAdvice reindexing(List<String> invalidNames) {
        return invalidNames.isEmpty()
                ? this
                : new IndexAdvice(
                        "the creation of " + String.join(", ", invalidNames) + " has failed or is still running",
                        Stream.concat(
                                        invalidNames.stream().map(index -> "REINDEX INDEX CONCURRENTLY " + index + ";"),
                                        script.stream())
                                .toList());
    }

    private static IndexAdvice of(Table table, List<OrderKey> keys, String columns, String suffix) {
        return switch (table.kind()) {
            case TABLE, MATERIALIZED_VIEW ->
                new IndexAdvice(
                        "",
                        List.of(createConcurrently(
                                name(
                                        table.name(),
                                        keys.stream().map(key -> key.column().name()),
                                        suffix),
                                table.sqlName(),
                                columns)));
            case PARTITIONED_TABLE ->
                table.storage().shards().isPresent()
                        // Citus creates the index on all shards and partitions at once.
                        ? new IndexAdvice(
                                "the creation of the index blocks writes",
                                List.of("CREATE INDEX ON " + table.sqlName() + " (" + columns + ");"))
                        : new IndexAdvice(
                                "an index (" + columns + ") on every partition",
                                scriptForPartitions(table, columns, suffix));
            case PARENT_TABLE, VIEW_OR_FOREIGN_TABLE ->
                new IndexAdvice(
                        table.storage().foreign()
                                ? "at least some of its rows are on foreign servers, whose indexes Tidemark cannot see; each server needs an index on ("
                                        + columns + ")"
                                : "an index on the tables that store the rows of " + table.name() + " can help",
                        List.of());
        };
    }

    private static String createConcurrently(String name, String sqlTable, String columns) {
        return "CREATE INDEX CONCURRENTLY IF NOT EXISTS " + name + " ON " + sqlTable + " (" + columns + ");";
    }

    private static String suffix(String columns) {
        return "_idx_" + Integer.toHexString(columns.hashCode());
    }

    private static String name(String table, Stream<String> columns, String suffix) {
        String name = truncate(table + '_' + columns.collect(Collectors.joining("_"))) + suffix;
        return UNQUOTED_NAME.matcher(name).matches() ? name : SqlQuoting.quoteIdentifier(name);
    }

    private static String truncate(String name) {
        int end = name.length();
        while (name.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MAX_BYTES_BEFORE_SUFFIX) {
            end = name.offsetByCodePoints(end, -1);
        }
        return name.substring(0, end);
    }

    /**
     * PostgreSQL cannot create the index of a partitioned table concurrently. It can create the indexes of the
     * partitions concurrently, and attach them to an index that was created on the parent only. The script has two
     * queries, and psql executes the statements that they return. Each query is on the same line as its
     * {@code \gexec}, so that nobody runs or deletes one without the other.
     */
    private static List<String> scriptForPartitions(Table table, String columns, String suffix) {
        String tree = SqlQuoting.quoteLiteral(table.sqlName());
        return List.of(
                "SELECT format(CASE WHEN isleaf THEN 'CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s (%s);'"
                        + " ELSE 'CREATE INDEX IF NOT EXISTS %I ON ONLY %s (%s);' END, "
                        + partitionIndexName("c", suffix) + ", relid, " + SqlQuoting.quoteLiteral(columns)
                        + ") FROM pg_partition_tree(" + tree
                        + ") JOIN pg_class c ON c.oid = relid"
                        + " WHERE c.relkind <> 'f' ORDER BY isleaf, level \\gexec",
                "SELECT format('ALTER INDEX %s.%I ATTACH PARTITION %s.%I;', p.relnamespace::regnamespace,"
                        + ' ' + partitionIndexName("p", suffix) + ", c.relnamespace::regnamespace, "
                        + partitionIndexName("c", suffix) + ") FROM pg_partition_tree(" + tree
                        + ") JOIN pg_class p ON p.oid = parentrelid"
                        + " JOIN pg_class c ON c.oid = relid WHERE c.relkind <> 'f' \\gexec");
    }

    /**
     * Returns SQL for the name of a partition's index. If the partition's name is long, it is replaced by its
     * beginning and the partition's oid, because the names of partitions often differ only at their ends.
     *
     * @param partition the alias of the partition's row in {@code pg_class}
     */
    private static String partitionIndexName(String partition, String suffix) {
        // The replacement has at most 36 bytes in UTF-8, an underscore, and 10 digits.
        return "CASE WHEN octet_length(%1$s.relname) > %2$d THEN left(%1$s.relname, 9) || '_' || %1$s.oid ELSE %1$s.relname END || %3$s"
                .formatted(partition, MAX_BYTES_BEFORE_SUFFIX, SqlQuoting.quoteLiteral(suffix));
    }
}
