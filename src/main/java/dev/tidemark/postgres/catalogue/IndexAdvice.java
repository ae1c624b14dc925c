package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.naming.SqlNames;
import dev.tidemark.postgres.sql.Sql;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How to create an index without blocking writes.
 *
 * @param explanation empty if the script is clear
 * @param script the lines that create the index in psql; empty if Tidemark knows none
 */
record IndexAdvice(String explanation, List<String> script) {

    static IndexAdvice of(Table table, List<OrderKey> keys) {
        String columns = keys.stream()
                .map(key -> table.find(key.column().name()).orElseThrow().sqlName() + Sql.placement(key))
                .collect(Collectors.joining(", "));
        return switch (table.kind()) {
            case TABLE, MATERIALIZED_VIEW ->
                new IndexAdvice("", List.of("CREATE INDEX CONCURRENTLY ON " + table.sqlName() + " (" + columns + ");"));
            case PARTITIONED_TABLE ->
                new IndexAdvice("an index (" + columns + ") on every partition", ofPartitions(table, columns));
            case PARENT_TABLE, VIEW ->
                new IndexAdvice(
                        table.storage().foreign()
                                ? "its rows are on foreign servers, whose indexes Tidemark does not see; each needs one on ("
                                        + columns + ")"
                                : "an index on the tables that " + table.name() + " reads from may help",
                        List.of());
        };
    }

    /**
     * PostgreSQL cannot create the index of a partitioned table concurrently. It can create the index of each partition
     * concurrently and attach it to an index of the parent that was created alone. psql executes the statements that
     * these two queries return.
     */
    private static List<String> ofPartitions(Table table, String columns) {
        String suffix = SqlNames.literal("_idx_" + Integer.toHexString(columns.hashCode()));
        String tree = SqlNames.literal(table.sqlName());
        return List.of(
                "SELECT format(CASE WHEN isleaf THEN 'CREATE INDEX CONCURRENTLY %I ON %s (%s);'"
                        + " ELSE 'CREATE INDEX %I ON ONLY %s (%s);' END, left(relname, 50) || " + suffix + ", relid, "
                        + SqlNames.literal(columns) + ") FROM pg_partition_tree(" + tree
                        + ") JOIN pg_class ON oid = relid"
                        + " WHERE relkind <> 'f' ORDER BY isleaf, level",
                "\\gexec",
                "SELECT format('ALTER INDEX %s.%I ATTACH PARTITION %s.%I;', p.relnamespace::regnamespace,"
                        + " left(p.relname, 50) || " + suffix
                        + ", c.relnamespace::regnamespace, left(c.relname, 50) || "
                        + suffix
                        + ") FROM pg_partition_tree(" + tree + ") JOIN pg_class p ON p.oid = parentrelid"
                        + " JOIN pg_class c ON c.oid = relid WHERE c.relkind <> 'f'",
                "\\gexec");
    }
}
