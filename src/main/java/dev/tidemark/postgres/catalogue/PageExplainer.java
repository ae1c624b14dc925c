package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.PagePlan;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedExplainer;
import dev.tidemark.naming.SqlQuoting;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.Database;
import dev.tidemark.postgres.catalogue.PageStatements.PageStatement;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Singleton;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plans the statements that read or count the items of a feed, in sessions with the settings with which these
 * statements run. Without the values of a request, the plans are generic, and valid for any values.
 */
@Singleton
public class PageExplainer implements FeedExplainer {

    /** Makes the names of prepared statements unique. */
    private static final AtomicInteger PREPARED_COUNT = new AtomicInteger();

    private static final List<String> NOT_PLANNED =
            List.of("not planned: Citus chooses the shards by the values of a request."
                    + " The feed browser shows the plan of a request");

    private final Database database;

    public PageExplainer(Database database) {
        this.database = database;
    }

    Uni<List<PagePlan>> explain(Feed feed) {
        return Multi.createFrom()
                .iterable(PageStatements.of(feed))
                .onItem()
                .transformToUniAndConcatenate(
                        page -> feed.relation().storage().shards().isPresent()
                                ? Uni.createFrom().item(plan(page, NOT_PLANNED))
                                : explain(page, List.of()))
                .collect()
                .asList();
    }

    /**
     * Plans the statements of one request. If a statement runs in one or several shards, or no index serves the list,
     * it is planned for the values of the request, as it is when it runs.
     */
    @Override
    public Uni<List<StatementPlan>> explain(ListState state, PageRequest request) {
        OrderStatements statements = new OrderStatements(state.feed(), state.order());
        List<String> parameters = PageShape.of(state, request).parameters(state, request);
        return Multi.createFrom()
                .iterable(PageStatements.of(state, request, statements))
                .onItem()
                .transformToUniAndConcatenate(page ->
                        explain(page, page.statement().kind() == Statement.Kind.INDEXED ? List.of() : parameters))
                .map(page -> new StatementPlan(page.page(), page.indexed(), page.sql(), page.plan()))
                .collect()
                .asList();
    }

    private static PagePlan plan(PageStatement page, List<String> plan) {
        return new PagePlan(
                page.list(), page.page(), page.isIndexed(), page.statement().sql(), plan);
    }

    /** @param values the values of the request; empty for a generic plan */
    private Uni<PagePlan> explain(PageStatement page, List<String> values) {
        String sql = page.statement().sql();
        String name = "tidemark_page_" + PREPARED_COUNT.incrementAndGet();
        String arguments = page.parameterCount() == 0
                ? ""
                : "("
                        + String.join(
                                ", ",
                                values.isEmpty()
                                        ? Collections.nCopies(page.parameterCount(), "NULL")
                                        : literals(values))
                        + ")";
        String mode = values.isEmpty() ? "force_generic_plan" : "force_custom_plan";
        boolean usesIndexedPool = page.statement().kind() == Statement.Kind.INDEXED;
        return new Pool(usesIndexedPool ? database.indexedPool() : database.freePool())
                .withConnection(connection -> connection
                        .query("BEGIN READ ONLY; SET LOCAL plan_cache_mode = " + mode + "; PREPARE " + name + " AS "
                                + sql)
                        .execute()
                        .chain(() -> connection
                                .query("EXPLAIN EXECUTE " + name + arguments)
                                .execute())
                        .map(rows -> rows.stream().map(row -> row.getString(0)).toList())
                        .onFailure()
                        .recoverWithItem(failure -> List.of("cannot be planned: " + failure.getMessage()))
                        .call(() -> cleanUp(connection, name)))
                .map(plan -> plan(page, plan));
    }

    private static List<String> literals(List<String> values) {
        return values.stream()
                .map(value -> value == null ? "NULL" : SqlQuoting.quoteLiteral(value))
                .toList();
    }

    private static Uni<?> cleanUp(SqlConnection connection, String name) {
        return connection
                .query("ROLLBACK")
                .execute()
                .chain(() -> connection.query("DEALLOCATE " + name).execute())
                // DEALLOCATE fails if the statement was not prepared.
                .onFailure()
                .recoverWithNull();
    }
}
