package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.PagePlan;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedExplainer;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.Database;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Plans the statements that read pages, in sessions with the settings with which these statements run. */
@Singleton
public class PageExplainer implements FeedExplainer {

    private static final List<String> NOT_PLANNED =
            List.of("not planned: Citus chooses the shards by the values of a request."
                    + " The feed browser shows the plan of a request");

    private final Database database;

    public PageExplainer(Database database) {
        this.database = database;
    }

    /** See {@link dev.tidemark.declare.Catalogue#explainPages}. */
    Uni<List<PagePlan>> explain(Feed feed) {
        boolean isPlanned = feed.relation().storage().shards().isEmpty();
        return Multi.createFrom()
                .iterable(ExampleStatements.ofLists(feed))
                .onItem()
                .transformToUniAndConcatenate(example -> (isPlanned
                                ? explain(example.statement(), Optional.empty())
                                : Uni.createFrom().item(NOT_PLANNED))
                        .map(plan -> new PagePlan(
                                example.list(),
                                example.page(),
                                example.statement().hasServingIndex(),
                                example.statement().sql(),
                                plan)))
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
        PageShape shape = PageShape.of(state, request);
        List<String> values = shape.parameters(state, request);
        Optional<PageShape> inclusive = shape.includingPosition(statements.columns());
        if (inclusive.isPresent()) {
            return both(
                    explain("page", statements.page(inclusive.get()), values),
                    explain("page if the item at the cursor is gone", statements.page(shape), values));
        }
        return shape.list().hasTextIndex(state.feed())
                ? both(
                        explain("page if few rows match", statements.page(shape.throughTextIndex()), values),
                        explain("page if many rows match", statements.page(shape), values))
                : explain("page", statements.page(shape), values).map(List::of);
    }

    private static Uni<List<StatementPlan>> both(Uni<StatementPlan> usual, Uni<StatementPlan> other) {
        return Uni.join().all(usual, other).usingConcurrencyOf(1).andFailFast();
    }

    private Uni<StatementPlan> explain(String name, Statement statement, List<String> values) {
        return explain(statement, Optional.of(values).filter(all -> !statement.isPlannedOnce()))
                .map(plan -> new StatementPlan(name, statement.hasServingIndex(), statement.sql(), plan));
    }

    /** @param values for which the statement is planned; empty if it is planned for any values */
    private Uni<List<String>> explain(Statement statement, Optional<List<String>> values) {
        return pool(statement)
                .withConnection(
                        connection -> values.map(each -> StatementPlans.custom(connection, statement.sql(), each))
                                .orElseGet(() -> StatementPlans.generic(connection, statement)))
                .onFailure()
                .recoverWithItem(failure -> List.of("cannot be planned: " + failure.getMessage()));
    }

    private Pool pool(Statement statement) {
        if (statement.kind() == Statement.Kind.TEXT_INDEXED) {
            return new Pool(database.textPool());
        }
        return new Pool(statement.isPlannedOnce() ? database.indexedPool() : database.freePool());
    }
}
