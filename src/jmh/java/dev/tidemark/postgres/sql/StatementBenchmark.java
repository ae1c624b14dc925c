package dev.tidemark.postgres.sql;

import dev.tidemark.MicrosecondBenchmark;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.ServingIndexes;
import dev.tidemark.feed.ServingIndexes.ServingIndex;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The time to find the statement of a known shape (the usual case), to build the statement of a new shape, and to list
 * the parameters.
 */
public class StatementBenchmark extends MicrosecondBenchmark {

    private final Order order = SampleFeeds.messages().orders().byDefault();
    private final Feed feed = SampleFeeds.messages()
            .withIndexes(new ServingIndexes(List.of(
                    new ServingIndex(order, List.of()),
                    new ServingIndex(order, List.of(new OrderKey(SampleFeeds.STATUS, true, true))))));
    private final ListState openMessages =
            SampleFeeds.listState(feed, order.name(), new Condition.AnyOf(SampleFeeds.STATUS, List.of("open")));
    private final PageRequest request = new PageRequest(
            Optional.of(new Continuation(
                    Gap.after(Position.of("2026-01-16 10:00:00.123456+00", "1234567")), Direction.FORWARD)),
            30);
    private final OrderStatements statements;

    public StatementBenchmark() {
        statements = new OrderStatements(feed, order);
    }

    @Benchmark
    public Statement ofKnownShape() {
        return statements.page(PageShape.of(openMessages, request));
    }

    @Benchmark
    public List<String> parameters() {
        return PageShape.of(openMessages, request).parameters(openMessages, request);
    }

    @Benchmark
    public Statement ofNewShape() {
        return new OrderStatements(feed, order).page(PageShape.of(openMessages, request));
    }
}
