package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.postgres.sql.ColumnTypes;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import java.util.Optional;

/** Reads from the catalogue of Citus how tables are distributed. */
final class ShardReader {

    /** The shards of a table whose distribution is unknown. */
    static final Shards UNKNOWN_SHARDS = new Shards(false, Optional.empty());

    private static final String SHARDS = """
            SELECT partmethod = 'n' AS single, pg_catalog.column_to_column_name(logicalrelid, partkey) AS "column"
            FROM pg_catalog.pg_dist_partition WHERE logicalrelid = pg_catalog.to_regclass($1::text)""";

    private ShardReader() {}

    /**
     * Returns the table with its shards, as read from the catalogue. The shards are unknown if the relation is a view,
     * which is not in the catalogue of Citus, or if the role is not allowed to read that catalogue.
     */
    static Uni<Table> read(Table table, SqlConnection connection) {
        return connection
                .preparedQuery(SHARDS)
                .execute(Tuple.of(table.sqlName()))
                .map(rows -> rows.stream()
                        .findFirst()
                        .map(row -> new Shards(
                                row.getBoolean("single"), distributionColumn(table, row.getString("column"))))
                        .orElse(UNKNOWN_SHARDS))
                .onFailure(PgException.class)
                .recoverWithItem(UNKNOWN_SHARDS)
                .map(table::withShards);
    }

    /**
     * Returns the distribution column if PostgreSQL converts a parameter to the type of the column when it plans a
     * statement. Otherwise, Citus cannot choose the shard.
     */
    private static Optional<String> distributionColumn(Table table, String name) {
        return Optional.ofNullable(name)
                .flatMap(table::find)
                .map(TableColumn::column)
                .filter(column -> ColumnTypes.isConvertedByPlanner(column.type()))
                .map(Column::name);
    }
}
