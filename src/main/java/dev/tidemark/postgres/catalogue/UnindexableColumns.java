package dev.tidemark.postgres.catalogue;

import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The columns that no suggested index must have, because PostgreSQL would reject the index.
 *
 * @param reasons the end of a sentence about each column
 */
record UnindexableColumns(Map<TableColumnName, String> reasons) {

    record TableColumnName(TableName table, String column) {}

    /** PostgreSQL has virtual generated columns from version 18 on. */
    private static final String FIND = """
            SELECT n.nspname::text AS schema, c.relname::text AS name, a.attname::text AS column
            FROM unnest($1::text[], $2::text[]) AS t(schema, name)
            JOIN pg_catalog.pg_namespace n ON n.nspname = t.schema
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.name
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE a.attgenerated = 'v'""";

    private static final String VIRTUAL =
            "is a virtual generated column, which PostgreSQL cannot index; make it STORED, or index its expression";

    static Uni<UnindexableColumns> find(SqlClient client, Collection<TableName> tables) {
        return client.preparedQuery(FIND)
                .execute(Tuple.of(
                        tables.stream().map(TableName::schema).toArray(String[]::new),
                        tables.stream().map(TableName::name).toArray(String[]::new)))
                .map(rows -> new UnindexableColumns(rows.stream()
                        .map(row -> new TableColumnName(
                                new TableName(row.getString("schema"), row.getString("name")), row.getString("column")))
                        .collect(Collectors.toMap(column -> column, column -> VIRTUAL))));
    }

    /** Returns a sentence that says why an index must not have these columns, if there is a reason. */
    Optional<String> reason(TableName table, List<String> columns) {
        return columns.stream()
                .flatMap(column -> reason(table, column).map(reason -> column + ' ' + reason).stream())
                .findFirst();
    }

    /** Returns the end of a sentence about the column, if an index must not have it. */
    Optional<String> reason(TableName table, String column) {
        return Optional.ofNullable(reasons.get(new TableColumnName(table, column)));
    }
}
