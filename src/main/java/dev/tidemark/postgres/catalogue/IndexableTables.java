package dev.tidemark.postgres.catalogue;

import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tables and materialized views, among those under views, on which an index is created by one statement. */
record IndexableTables(Map<TableName, String> sqlNames) {

    /**
     * Leaves out partitions. A plan does not show whether a view reads the partition itself, or the partitioned table,
     * whose other partitions need the index too.
     */
    private static final String FIND = """
            SELECT n.nspname::text AS schema, c.relname::text AS name, pg_catalog.format('%I.%I', n.nspname, c.relname) AS sqlname
            FROM unnest($1::text[], $2::text[]) AS t(schema, name)
            JOIN pg_catalog.pg_namespace n ON n.nspname = t.schema
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.name
            WHERE c.relkind IN ('r', 'm') AND NOT c.relispartition""";

    static Uni<IndexableTables> find(SqlConnection connection, List<TableName> names) {
        return names.isEmpty()
                ? Uni.createFrom().item(new IndexableTables(Map.of()))
                : connection
                        .preparedQuery(FIND)
                        .execute(Tuple.of(
                                names.stream().map(TableName::schema).toArray(String[]::new),
                                names.stream().map(TableName::name).toArray(String[]::new)))
                        .map(rows -> new IndexableTables(rows.stream()
                                .collect(Collectors.toMap(
                                        row -> new TableName(row.getString("schema"), row.getString("name")),
                                        row -> row.getString("sqlname")))));
    }

    Optional<String> sqlName(TableName table) {
        return Optional.ofNullable(sqlNames.get(table));
    }
}
