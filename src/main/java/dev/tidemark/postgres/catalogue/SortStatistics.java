package dev.tidemark.postgres.catalogue;

import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What constraints and statistics say about the values of columns by which lists are sorted. */
record SortStatistics(Map<Key, Values> values) {

    /** Columns of one table. */
    record SortColumns(TableName table, List<String> columns) {}

    private record Key(TableName table, String column) {}

    /** @param mostEqual the greatest number of rows with the same value; infinite if unknown */
    private record Values(boolean hasNoNulls, double mostEqual) {}

    /** A constraint that is not valid yet tells nothing about older rows. */
    private static final String FIND = """
            SELECT n.nspname::text AS schema, c.relname::text AS name, a.attname::text AS column,
              a.attnotnull AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint k
                  WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND k.conkey = ARRAY[a.attnum])
                OR coalesce(s.null_frac = 0 AND c.reltuples > 0, false) AS hasnonulls,
              coalesce(greatest(c.reltuples * s.most_common_freqs[1], c.reltuples * s.null_frac,
                c.reltuples * (1 - s.null_frac) / CASE WHEN s.n_distinct > 0 THEN s.n_distinct ELSE -s.n_distinct * c.reltuples END),
                'Infinity')::float8 AS mostequal
            FROM unnest($1::text[], $2::text[]) AS t(schema, name)
            JOIN pg_catalog.pg_namespace n ON n.nspname = t.schema
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.name
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname
              AND s.inherited = (c.relkind = 'p') AND s.n_distinct <> 0 AND c.reltuples > 0""";

    static Uni<SortStatistics> find(SqlClient client, Collection<TableName> tables) {
        return client.preparedQuery(FIND)
                .execute(Tuple.of(
                        tables.stream().map(TableName::schema).toArray(String[]::new),
                        tables.stream().map(TableName::name).toArray(String[]::new)))
                .map(rows -> new SortStatistics(rows.stream()
                        .collect(Collectors.toMap(
                                row -> new Key(
                                        new TableName(row.getString("schema"), row.getString("name")),
                                        row.getString("column")),
                                row -> new Values(row.getBoolean("hasnonulls"), row.getDouble("mostequal"))))));
    }

    /** Whether none of the columns has a NULL, as far as known. */
    boolean haveNoNulls(SortColumns sorted) {
        return sorted.columns().stream()
                .map(column -> values.get(new Key(sorted.table(), column)))
                .allMatch(found -> found != null && found.hasNoNulls());
    }

    /** The greatest number of rows that are equal in all the columns; infinite if unknown. */
    double mostEqual(SortColumns sorted) {
        return sorted.columns().stream()
                .map(column -> values.get(new Key(sorted.table(), column)))
                .filter(Objects::nonNull)
                .mapToDouble(Values::mostEqual)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
