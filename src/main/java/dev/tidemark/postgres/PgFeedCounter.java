package dev.tidemark.postgres;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.connection.Database;
import dev.tidemark.postgres.hosts.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.CountSql;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Counts or estimates the rows of a list, with the same conditions as the list's page statements. */
@Singleton
public class PgFeedCounter implements FeedCounter {

    private final Database database;

    PgFeedCounter(Database database) {
        this.database = database;
    }

    /**
     * Stops at {@code cap} rows. If an index serves the list, a count therefore reads about that many index entries at
     * most, unless {@code visible} excludes many rows.
     */
    @Override
    public Uni<Integer> countRemaining(ListState state, Continuation from, int cap) {
        return countRemaining(state, from, cap, ReadPreference.ofFreshCount(state, from.gap(), from.floor()));
    }

    @Override
    public Uni<Integer> countRemainingAfterChange(ListState state, Continuation from, int cap) {
        return countRemaining(state, from, cap, ReadPreference.afterNotification(from.floor()));
    }

    private Uni<Integer> countRemaining(ListState state, Continuation from, int cap, ReadPreference preference) {
        PageRequest request = new PageRequest(Optional.of(from), 1);
        PageShape shape = PageShape.of(state, request);
        return CountSql.countRemaining(state, shape, cap)
                .map(statement ->
                        read(statement, shape.parameters(state, request), row -> row.getInteger(0), preference))
                .orElseGet(() -> Uni.createFrom().item(0));
    }

    @Override
    public Uni<Integer> countAll(ListState state, int cap, Optional<Floor> floor) {
        return read(
                CountSql.countAll(state, cap),
                parameters(state),
                row -> row.getInteger(0),
                ReadPreference.ofList(state, floor));
    }

    @Override
    public Uni<Long> estimate(ListState state) {
        return read(
                        CountSql.estimate(state),
                        parameters(state),
                        row -> row.getJson(0),
                        ReadPreference.ofList(state, Optional.empty()))
                .map(plan -> estimatedRows(((JsonArray) plan).getJsonObject(0).getJsonObject("Plan")));
    }

    /**
     * Returns the estimated number of rows. For a Citus table, EXPLAIN shows the plan of only one task. The estimate of
     * this plan is multiplied by the number of tasks, as if all shards had the same size.
     */
    private static long estimatedRows(JsonObject plan) {
        JsonObject distributed = plan.getJsonObject("Distributed Query");
        if (distributed == null) {
            return plan.getLong("Plan Rows");
        }
        JsonObject job = distributed.getJsonObject("Job");
        return job.getJsonArray("Tasks").stream()
                .findFirst()
                .map(task -> ((JsonObject) task)
                        .getJsonArray("Remote Plan")
                        .getJsonArray(0)
                        .getJsonObject(0)
                        .getJsonObject("Plan")
                        .getLong("Plan Rows"))
                .map(rows -> rows * job.getLong("Task Count"))
                .orElse(0L);
    }

    private static List<String> parameters(ListState state) {
        List<String> parameters = new ArrayList<>();
        ListShape.of(state).bind(state, parameters);
        return parameters;
    }

    /** Runs a statement, and returns a value of its only row. */
    private <T> Uni<T> read(
            Statement statement, List<String> parameters, Function<Row, T> value, ReadPreference preference) {
        Supplier<RowReceiver<T>> receivers = () -> RowReceiver.of(
                Collectors.collectingAndThen(Collectors.mapping(value, Collectors.toList()), values -> values.get(0)));
        return database.read(statement, parameters, receivers, preference).map(Database.Result::value);
    }
}
