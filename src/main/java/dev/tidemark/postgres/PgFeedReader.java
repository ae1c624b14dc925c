package dev.tidemark.postgres;

import dev.tidemark.feed.FeedReader;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.RowSink;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.OrderStatements.Statement;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads a page with one prepared statement, whose rows go to the sink as they are decoded. */
@Singleton
public class PgFeedReader implements FeedReader {

    private final Pool pool;
    private final FeedPools pools;
    private final ServingIndexes indexes;
    private final Map<String, Map<String, OrderStatements>> byFeedAndOrder = new ConcurrentHashMap<>();

    PgFeedReader(Pool pool, FeedPools pools, ServingIndexes indexes) {
        this.pool = pool;
        this.pools = pools;
        this.indexes = indexes;
    }

    @Override
    public Uni<Page> read(ListState state, PageRequest request, RowSink sink) {
        OrderStatements statements = statements(state);
        PageShape shape = PageShape.of(state, request);
        PageCollector page = new PageCollector(request, statements.keys(), statements.keyIndexes(), sink);
        Tuple parameters = Tuple.tuple();
        shape.parameters(state, request).forEach(parameters::addString);
        Statement statement = statements.of(shape);
        Pool chosen = statement.indexed() ? pools.indexed() : pool;
        return UniHelper.toUni(chosen.preparedQuery(statement.sql())
                        .collecting(page.collector())
                        .execute(parameters))
                .map(SqlResult::value)
                .onFailure()
                .transform(Failures::named);
    }

    private OrderStatements statements(ListState state) {
        return byFeedAndOrder
                .computeIfAbsent(state.feed().name(), name -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        state.order().name(), name -> new OrderStatements(state.feed(), state.order(), indexes));
    }
}
