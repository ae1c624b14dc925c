package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.KeyFinding;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks with a query over all rows whether columns identify each row, for which the catalogue guarantees no key. */
final class KeyVerification {

    private KeyVerification() {}

    /**
     * The query has one row: the number of rows with a NULL in the key, the number of keys that several rows have, one
     * of these, and how many rows have it.
     *
     * @param relation the SQL name
     * @param key the names of the columns
     * @param perList the SQL of columns that have one value in each list, so that the key may repeat beyond a list
     */
    static String sql(String relation, List<String> key, List<String> perList, Optional<String> visible) {
        List<String> quotedKey = key.stream().map(SqlQuoting::quoteIdentifier).toList();
        String anyNull = quotedKey.stream().map(column -> column + " IS NULL").collect(Collectors.joining(" OR "));
        String where = Stream.concat(
                        visible.map(Sql::inParentheses).stream(),
                        perList.stream().map(column -> column + " IS NOT NULL"))
                .collect(Collectors.joining(" AND "));
        return "SELECT coalesce(sum(grouped.found) FILTER (WHERE grouped.hasnull), 0)::bigint AS nulls,"
                + " count(*) FILTER (WHERE NOT grouped.hasnull) AS repeated,"
                + " (array_agg(grouped.example ORDER BY grouped.found DESC) FILTER (WHERE NOT grouped.hasnull))[1] AS example,"
                + " max(grouped.found) FILTER (WHERE NOT grouped.hasnull) AS most FROM (SELECT concat_ws(', ', "
                + quotedKey.stream().map(column -> column + "::text").collect(Collectors.joining(", "))
                + ") AS example, count(*) AS found, " + anyNull + " AS hasnull FROM " + relation
                + (where.isEmpty() ? "" : " WHERE " + where) + " GROUP BY "
                + Stream.concat(quotedKey.stream(), perList.stream()).collect(Collectors.joining(", "))
                + " HAVING count(*) > 1 OR " + anyNull + ") grouped";
    }

    /** Whether the row of {@link #sql} shows that each row has a key of its own. */
    static boolean isKey(Row row) {
        return row.getLong("nulls") == 0 && row.getLong("repeated") == 0;
    }

    static Uni<KeyFinding> verify(Pool pool, Feed feed, Duration timeout) {
        List<String> key = feed.relation().key().stream().map(Column::name).toList();
        List<String> perList = feed.access().scope().stream()
                .filter(Access.ClaimScope.class::isInstance)
                .map(Access.Scope::column)
                .filter(column -> !key.contains(column.name()))
                .map(column -> Sql.column(feed.relation().name(), column))
                .distinct()
                .toList();
        String sql =
                sql(Sql.relation(feed.relation()), key, perList, feed.relation().visible());
        return pool.withTransaction(connection -> connection
                        .query("SET LOCAL statement_timeout = " + timeout.toMillis())
                        .execute()
                        .chain(() -> connection.query(sql).execute()))
                .map(rows -> finding(rows.iterator().next(), key))
                .onFailure(PgException.class)
                .recoverWithItem(failure -> KeyFinding.unknown(
                        Failures.isCanceled(failure)
                                ? "the query over all rows took longer than " + seconds(timeout)
                                        + "; allow more time with --verify-keys="
                                        + 10 * Math.max(1, timeout.toSeconds())
                                        + "s"
                                : "the query over all rows failed: " + failure.getErrorMessage()));
    }

    private static KeyFinding finding(Row row, List<String> key) {
        if (isKey(row)) {
            return KeyFinding.VERIFIED;
        }
        String columns = "(" + String.join(", ", key) + ")";
        long nulls = row.getLong("nulls");
        long repeated = row.getLong("repeated");
        return KeyFinding.wrong(Stream.of(
                        nulls == 0 ? "" : nulls + (nulls == 1 ? " row has" : " rows have") + " NULL in " + columns,
                        repeated == 0
                                ? ""
                                : repeated + (repeated == 1 ? " value" : " values") + " of " + columns
                                        + (repeated == 1 ? " identifies" : " identify") + " more than one row, such as "
                                        + row.getString("example") + ", which " + row.getLong("most") + " rows have")
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; ", "does not identify the rows, so pages can skip some: ", "")));
    }

    private static String seconds(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
    }
}
