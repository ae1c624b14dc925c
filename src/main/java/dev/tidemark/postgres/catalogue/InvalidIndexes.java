package dev.tidemark.postgres.catalogue;

import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.Set;

/**
 * The invalid indexes of tables and of their partitions. The creation of these indexes has failed or is still running.
 * {@code CREATE INDEX IF NOT EXISTS} would treat them as existing indexes.
 */
record InvalidIndexes(List<InvalidIndex> all) {

    private static final String FIND_INVALID = """
            SELECT t.schema AS rootschema, t.name AS root, c.relname::text AS name,
              pg_catalog.format('%I.%I', n.nspname, c.relname) AS sqlname
            FROM unnest($1::text[], $2::text[]) AS t(schema, name)
            JOIN pg_catalog.pg_namespace rootschema ON rootschema.nspname = t.schema
            JOIN pg_catalog.pg_class root ON root.relnamespace = rootschema.oid AND root.relname = t.name
            CROSS JOIN LATERAL (SELECT root.oid AS oid
              UNION SELECT relid::oid FROM pg_catalog.pg_partition_tree(root.oid)) tree
            JOIN pg_catalog.pg_index i ON i.indrelid = tree.oid AND NOT i.indisvalid
            JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i'
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            ORDER BY n.nspname, c.relname""";

    /** @param root the inspected table; the index belongs to this table or to one of its partitions */
    private record InvalidIndex(TableName root, String name, String sqlName) {}

    static Uni<InvalidIndexes> find(SqlConnection connection, Set<TableName> tables) {
        return connection
                .preparedQuery(FIND_INVALID)
                .execute(Tuple.of(
                        tables.stream().map(TableName::schema).toArray(String[]::new),
                        tables.stream().map(TableName::name).toArray(String[]::new)))
                .map(rows -> new InvalidIndexes(rows.stream()
                        .map(row -> new InvalidIndex(
                                new TableName(row.getString("rootschema"), row.getString("root")),
                                row.getString("name"),
                                row.getString("sqlname")))
                        .toList()));
    }

    /**
     * Returns the SQL names of the invalid indexes of a table and of its partitions, but only for indexes with a name
     * that ends in {@code suffix}.
     */
    List<String> sqlNames(TableName table, String suffix) {
        return all.stream()
                .filter(index -> index.root().equals(table) && index.name().endsWith(suffix))
                .map(InvalidIndex::sqlName)
                .toList();
    }
}
