package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import dev.tidemark.feed.OrderKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The B-tree indexes of a Citus table that contain all rows of a feed. The servers that store the table's shards have
 * the same indexes. These servers plan statements with their own settings, so a plan that sorts does not prove that no
 * index provides the order.
 */
final class TableIndexes {

    /**
     * Selects NULL in place of an expression, and of a column for which the index has an operator class other than the
     * default, or a collation other than that of the column.
     */
    private static final String INDEXES = """
            SELECT pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS predicate,
              ARRAY(SELECT CASE WHEN o.opcdefault AND i.indcollation[k.place::int - 1] = a.attcollation THEN a.attname::text END
                    FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
                      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum AND k.attnum > 0
                      LEFT JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[k.place::int - 1]
                    WHERE k.place <= i.indnkeyatts ORDER BY k.place) AS columns,
              i.indoption::int2[]::int4[] AS options
            FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
              JOIN pg_catalog.pg_am am ON am.oid = c.relam
            WHERE i.indrelid = pg_catalog.to_regclass($1::text) AND i.indisvalid AND am.amname = 'btree'""";

    private static final int DESCENDING = 1;
    private static final int NULLS_FIRST = 2;

    private final List<List<IndexKey>> indexes;

    /**
     * @param column {@code null} for an expression, or for a column that the index and the order compare differently
     */
    private record IndexKey(@Nullable String column, boolean descending, boolean nullsFirst) {
        private static IndexKey of(OrderKey key) {
            return new IndexKey(key.column().name(), key.descending(), key.nullsFirst());
        }
    }

    private TableIndexes(List<List<IndexKey>> indexes) {
        this.indexes = indexes;
    }

    /** @param visible the condition that all rows of the feed satisfy */
    static Uni<TableIndexes> find(SqlConnection connection, Table table, Optional<String> visible) {
        return connection
                .preparedQuery(INDEXES)
                .execute(Tuple.of(table.sqlName()))
                .map(rows -> new TableIndexes(rows.stream()
                        .filter(row -> containsAllVisibleRows(row.getString("predicate"), visible))
                        .map(TableIndexes::keys)
                        .toList()));
    }

    /**
     * Whether an index with this predicate contains all visible rows. A predicate counts only if its text, as
     * PostgreSQL returns it, is that of {@code visible} in parentheses, apart from case.
     */
    private static boolean containsAllVisibleRows(@Nullable String predicate, Optional<String> visible) {
        return predicate == null
                || visible.filter(condition -> predicate.equalsIgnoreCase('(' + condition.strip() + ')'))
                        .isPresent();
    }

    private static List<IndexKey> keys(Row row) {
        String[] columns = row.getArrayOfStrings("columns");
        Integer[] options = row.getArrayOfIntegers("options");
        List<IndexKey> keys = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            keys.add(new IndexKey(columns[i], (options[i] & DESCENDING) != 0, (options[i] & NULLS_FIRST) != 0));
        }
        return keys;
    }

    /** Whether an index starts with these keys, in either direction. */
    boolean anyStartsWith(List<OrderKey> keys) {
        List<IndexKey> forward = keys.stream().map(IndexKey::of).toList();
        List<IndexKey> backward =
                keys.stream().map(OrderKey::reversed).map(IndexKey::of).toList();
        return indexes.stream()
                .filter(index -> index.size() >= keys.size())
                .map(index -> index.subList(0, keys.size()))
                .anyMatch(start -> start.equals(forward) || start.equals(backward));
    }
}
