package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.KeyData;
import dev.tidemark.declare.Catalogue.TableColumnNames;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Looks at the rows of a table to find out whether columns identify them, see {@link KeyData}. */
final class KeyInspection {

    /** Most columns that are no key repeat a value, or have NULLs, in the first rows. */
    private static final int FIRST_ROWS = 10_000;

    /** In fewer rows, values can differ by chance. */
    private static final int MIN_ROWS = 100;

    /** All rows are read only if the first ones show nothing, and no longer than this. */
    private static final String LIMIT_TIME = "SET LOCAL statement_timeout = 2000";

    private KeyInspection() {}

    static Uni<List<KeyData>> inspect(Pool pool, List<TableColumnNames> columns) {
        return Multi.createFrom()
                .iterable(columns)
                .onItem()
                .transformToUniAndConcatenate(wanted -> pool.withTransaction(connection ->
                                connection.query(LIMIT_TIME).execute().chain(() -> inspect(connection, wanted)))
                        // The role may not read the rows, or a column has a type without equality.
                        .onFailure(PgException.class)
                        .recoverWithItem(KeyData.UNKNOWN))
                .collect()
                .asList();
    }

    private static Uni<KeyData> inspect(SqlConnection connection, TableColumnNames columns) {
        return read(connection, columns, " LIMIT " + FIRST_ROWS).chain(first -> {
            boolean isContradicted =
                    first.getBoolean("repeated") || !nullColumns(first, columns).isEmpty();
            boolean isComplete = first.getLong("rows") < FIRST_ROWS;
            return isContradicted || isComplete
                    ? data(connection, columns, first)
                    : read(connection, columns, "").chain(all -> data(connection, columns, all));
        });
    }

    private static Uni<Row> read(SqlConnection connection, TableColumnNames columns, String limit) {
        List<String> quoted =
                columns.names().stream().map(SqlQuoting::quoteIdentifier).toList();
        String list = String.join(", ", quoted);
        return connection
                .query("WITH looked AS MATERIALIZED (SELECT " + list + " FROM "
                        + columns.table().sqlName() + limit
                        + ") SELECT (SELECT count(*) FROM looked) AS rows, EXISTS (SELECT 1 FROM looked WHERE "
                        + quoted.stream().map(name -> name + " IS NOT NULL").collect(Collectors.joining(" AND "))
                        + " GROUP BY " + list + " HAVING count(*) > 1) AS repeated, "
                        + IntStream.range(0, quoted.size())
                                .mapToObj(i ->
                                        "EXISTS (SELECT 1 FROM looked WHERE " + quoted.get(i) + " IS NULL) AS null" + i)
                                .collect(Collectors.joining(", ")))
                .execute()
                .map(rows -> rows.iterator().next());
    }

    private static Uni<KeyData> data(SqlConnection connection, TableColumnNames columns, Row row) {
        TableName table = TableName.of(columns.table());
        Set<String> nullColumns = nullColumns(row, columns);
        boolean isRepeated = row.getBoolean("repeated");
        boolean canBeKey = row.getLong("rows") >= MIN_ROWS
                && !isRepeated
                && nullColumns.isEmpty()
                // Row-level security may hide rows.
                && !columns.table().storage().filtered();
        return canBeKey
                ? UnindexableColumns.find(connection, Set.of(table))
                        .map(unindexable -> new KeyData(
                                unindexable.reason(table, columns.names()).isEmpty(), false, Set.of()))
                : Uni.createFrom().item(new KeyData(false, isRepeated, nullColumns));
    }

    private static Set<String> nullColumns(Row row, TableColumnNames columns) {
        return IntStream.range(0, columns.names().size())
                .filter(i -> row.getBoolean("null" + i))
                .mapToObj(columns.names()::get)
                .collect(Collectors.toSet());
    }
}
