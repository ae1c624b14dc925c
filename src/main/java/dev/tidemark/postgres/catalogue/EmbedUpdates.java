package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.Locale;

/**
 * Reads from statistics how often the rows of embedded tables are updated. A row does not tell which of its columns an
 * update has changed, so a counter in it makes all items that show the row count as written.
 */
final class EmbedUpdates {

    /** Below this number of updates of each row, the updates are probably about what is embedded. */
    private static final int MANY_UPDATES_PER_ROW = 5;

    /** Fewer updates than this say nothing about what is usual. */
    private static final int MIN_UPDATES = 1000;

    /**
     * The average number of updates of a row, of all partitions, since the statistics were reset; 0 if there were few.
     */
    private static final String UPDATES_PER_ROW = """
            SELECT CASE WHEN sum(s.n_tup_upd) >= %d THEN sum(s.n_tup_upd) / greatest(sum(s.n_live_tup), 1) ELSE 0 END::float8
            FROM pg_catalog.to_regclass(pg_catalog.format('%%I.%%I', $1::text, $2::text)) embedded
              JOIN pg_catalog.pg_stat_all_tables s
                ON s.relid = embedded OR s.relid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree(embedded) p)""".formatted(MIN_UPDATES);

    private EmbedUpdates() {}

    /** @return a warning for each embed of a feed with delta whose table is updated often */
    static Uni<List<String>> warnings(Pool pool, Feed feed) {
        return feed.policy().delta().isEmpty()
                ? Uni.createFrom().item(List.of())
                : Multi.createFrom()
                        .iterable(feed.embeds())
                        .onItem()
                        .transformToMultiAndConcatenate(embed -> updatesPerRow(pool, embed)
                                .toMulti()
                                .filter(updates -> updates >= MANY_UPDATES_PER_ROW)
                                .map(updates -> warning(embed, updates)))
                        .collect()
                        .asList();
    }

    private static Uni<Double> updatesPerRow(Pool pool, Embed embed) {
        return pool.preparedQuery(UPDATES_PER_ROW)
                .execute(Tuple.of(embed.schema(), embed.table()))
                .map(rows -> rows.iterator().next().getDouble(0))
                .onItem()
                .ifNull()
                .continueWith(0.0);
    }

    private static String warning(Embed embed, double updates) {
        return String.format(
                Locale.ROOT,
                "embed.%s: the rows of %s.%s were updated %,.0f times each on average. With delta, each update sends all items"
                        + " that show the row, whatever column it changed. Keep counters in a table of their own",
                embed.name(),
                embed.schema(),
                embed.table(),
                updates);
    }
}
