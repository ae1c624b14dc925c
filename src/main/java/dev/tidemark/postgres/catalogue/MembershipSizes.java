package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Access.Membership;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.Locale;

/** Estimates from statistics how many memberships one caller can have. */
final class MembershipSizes {

    /**
     * The number of rows with the most common value or, if no value is more common than others, with each. Empty
     * without statistics.
     */
    private static final String ROWS_OF_ONE_CALLER = """
            SELECT greatest(c.reltuples * s.most_common_freqs[1],
              c.reltuples * (1 - s.null_frac) / CASE WHEN s.n_distinct > 0 THEN s.n_distinct ELSE -s.n_distinct * c.reltuples END)::float8 AS most
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.inherited = (c.relkind = 'p')
            WHERE n.nspname = $1::text AND c.relname = $2::text AND s.attname = $3::text AND c.reltuples > 0 AND s.n_distinct <> 0""";

    private MembershipSizes() {}

    /** @return a warning for each membership of the feed for which a caller can have too many */
    static Uni<List<String>> warnings(Pool pool, Feed feed) {
        return Multi.createFrom()
                .items(feed.access().memberships())
                // Statistics of single columns do not tell how many rows match several columns or a condition.
                .filter(membership ->
                        membership.where().size() == 1 && membership.condition().isEmpty())
                .onItem()
                .transformToMultiAndConcatenate(membership -> mostRows(pool, membership)
                        .toMulti()
                        .filter(most -> most > Sql.MAX_MERGED_MEMBERSHIPS)
                        .map(most -> warning(membership, most)))
                .collect()
                .asList();
    }

    private static Uni<Double> mostRows(Pool pool, Membership membership) {
        return pool.preparedQuery(ROWS_OF_ONE_CALLER)
                .execute(Tuple.of(
                        membership.schema(),
                        membership.table(),
                        membership.where().get(0).column().name()))
                .map(rows -> rows.size() == 0 ? 0.0 : rows.iterator().next().getDouble("most"));
    }

    private static String warning(Membership membership, double most) {
        return String.format(
                Locale.ROOT,
                "scope.%s: a caller can have about %,.0f memberships in %s.%s. Beyond %d, PostgreSQL joins the tables, and can"
                        + " read many rows for a page",
                membership.column().name(),
                most,
                membership.schema(),
                membership.table(),
                Sql.MAX_MERGED_MEMBERSHIPS);
    }
}
