package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.PagePlan;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.catalogue.PageStatements.PageStatement;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;

/**
 * Plans the statements of a feed's pages in the sessions that run them. The plans are generic ones, which hold for any
 * values.
 */
final class PageExplainer {

    private final Pool free;
    private final Pool indexed;
    private final AtomicInteger prepared = new AtomicInteger();

    PageExplainer(Pool free, Pool indexed) {
        this.free = free;
        this.indexed = indexed;
    }

    Uni<List<PagePlan>> explain(Feed feed) {
        return Multi.createFrom()
                .iterable(PageStatements.of(feed))
                .onItem()
                .transformToUniAndConcatenate(this::explain)
                .collect()
                .asList();
    }

    private Uni<PagePlan> explain(PageStatement page) {
        String sql = page.statement().sql();
        String name = "tidemark_page_" + prepared.incrementAndGet();
        String values = page.parameters() == 0
                ? ""
                : "(" + String.join(", ", Collections.nCopies(page.parameters(), "NULL")) + ")";
        return (page.statement().indexed() ? indexed : free)
                .withConnection(connection -> connection
                        .query("BEGIN READ ONLY; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE " + name
                                + " AS " + sql)
                        .execute()
                        .chain(() -> connection
                                .query("EXPLAIN EXECUTE " + name + values)
                                .execute())
                        .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                                .map(row -> row.getString(0))
                                .toList())
                        .onFailure()
                        .recoverWithItem(failure -> List.of("cannot be planned: " + failure.getMessage()))
                        .call(() -> end(connection, name)))
                .map(plan ->
                        new PagePlan(page.list(), page.page(), page.statement().indexed(), sql, plan));
    }

    private static Uni<?> end(SqlConnection connection, String name) {
        return connection
                .query("ROLLBACK")
                .execute()
                .chain(() -> connection.query("DEALLOCATE " + name).execute())
                // It was not prepared.
                .onFailure()
                .recoverWithNull();
    }
}
