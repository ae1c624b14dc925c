package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.connection.FeedPools;
import dev.tidemark.postgres.hosts.Placement;
import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.OrderStatements.Statement;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.PinShape;
import dev.tidemark.postgres.sql.RangeSql;
import dev.tidemark.postgres.sql.RangeSql.Output;
import dev.tidemark.postgres.sql.RangeSql.Range;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Counts the rows of a list with the same conditions as its page statements. */
@Singleton
public class PgFeedCounter implements FeedCounter {

    private final FeedPools pools;

    PgFeedCounter(FeedPools pools) {
        this.pools = pools;
    }

    /** Stops at {@code most} rows, so an indexed list costs at most one index scan of that length. */
    @Override
    public Uni<Integer> remaining(ListState state, Continuation from, int most) {
        return remaining(state, from, most, Placement.ofPlace(state, from.gap(), from.floor()));
    }

    @Override
    public Uni<Integer> remainingAfterChange(ListState state, Continuation from, int most) {
        return remaining(state, from, most, Placement.afterNotification(from.floor()));
    }

    private Uni<Integer> remaining(ListState state, Continuation from, int most, Placement placement) {
        PageRequest on = new PageRequest(Optional.of(from), 1);
        PageShape shape = PageShape.of(state, on);
        return remaining(state, shape, most)
                .map(statement ->
                        pools.query(statement, shape.parameters(state, on), () -> first(Row::getInteger), placement))
                .orElseGet(() -> Uni.createFrom().item(0));
    }

    /** @return empty if no row can follow: the scroll is pinned to no value and has passed the NULLs */
    public Optional<Statement> remaining(ListState state, PageShape shape, int most) {
        RangeSql ranges = new RangeSql(state.feed(), state.order(), shape.list(), shape.firstListParameter());
        List<Column> keys = state.order().keys().stream().map(OrderKey::column).toList();
        Range range = new Range(
                new Output(relation -> "1", keys),
                shape.boundGap(),
                shape.direction(),
                most,
                shape.pin(),
                shape.pinParameter());
        boolean indexed = shape.list().indexPrefix(state.feed(), state.order()).isPresent();
        return ranges.scans(range).isEmpty()
                ? Optional.empty()
                : Optional.of(new Statement(
                        "SELECT count(*)::int FROM " + ranges.limited(range) + " beyond" + parameterReferences(shape),
                        indexed));
    }

    /**
     * References every gap parameter. A scroll pinned to no value can leave some unused, and PostgreSQL cannot
     * determine the type of an unused parameter.
     */
    private static String parameterReferences(PageShape shape) {
        int values = shape.pin() == PinShape.ALL_NULL ? shape.firstListParameter() - 1 : 0;
        return values == 0
                ? ""
                : IntStream.rangeClosed(1, values)
                        .mapToObj(value -> "$" + value + "::text")
                        .collect(Collectors.joining(", ", " WHERE pg_catalog.num_nulls(", ") = 0"));
    }

    @Override
    public Uni<Integer> exact(ListState state, int most) {
        return pools.query(
                new Statement("SELECT count(*)::int FROM (" + rows(state) + " LIMIT " + most + ") counted", false),
                parameters(state),
                () -> first(Row::getInteger),
                Placement.ofList(state));
    }

    @Override
    public Uni<Long> estimate(ListState state) {
        return pools.query(
                        new Statement("EXPLAIN (FORMAT JSON) " + rows(state), false),
                        parameters(state),
                        () -> first(Row::getJson),
                        Placement.ofList(state))
                .map(plan -> ((JsonArray) plan)
                        .getJsonObject(0)
                        .getJsonObject("Plan")
                        .getLong("Plan Rows"));
    }

    private String rows(ListState state) {
        RangeSql ranges = new RangeSql(state.feed(), state.order(), ListShape.of(state), 1);
        return "SELECT 1 FROM " + Sql.relation(state.feed().relation()) + " WHERE " + ranges.condition();
    }

    private static List<String> parameters(ListState state) {
        List<String> parameters = new ArrayList<>();
        ListShape.of(state).bind(state, parameters);
        return parameters;
    }

    /** Reads the first column of the only row. */
    private static <T> Rows<T> first(Value<T> value) {
        return Rows.decoded(Collectors.collectingAndThen(
                Collectors.mapping(row -> value.of(row, 0), Collectors.toList()), values -> values.get(0)));
    }

    @FunctionalInterface
    private interface Value<T> {
        T of(Row row, int index);
    }
}
