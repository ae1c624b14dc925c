package dev.tidemark.postgres;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.rows.DriverRow;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.CountSql;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import dev.tidemark.postgres.sql.ValueCountSql;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts or estimates the rows of a list, with the same conditions as the list's page statements. */
@Singleton
public class PgFeedCounter implements FeedCounter {

    private static final ItemCount NONE = new ItemCount(0, false);

    private final Database database;

    PgFeedCounter(Database database) {
        this.database = database;
    }

    /**
     * Stops at {@code cap} rows. If an index serves the list, a count therefore reads about that many index entries at
     * most, unless {@code visible} excludes many rows.
     */
    @Override
    public Uni<ItemCount> countRemaining(ListState state, Continuation from, int cap) {
        return countRemaining(state, from, cap, ReadPreference.ofFreshCount(state, from.gap(), from.floor()));
    }

    /**
     * The feed is compared by identity: lists of a version from before a change to the table may have other
     * conditions.
     */
    private record Group(Feed feed, Order order, PageShape shape) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Group group
                    && feed == group.feed
                    && order.equals(group.order)
                    && shape.equals(group.shape);
        }

        @Override
        public int hashCode() {
            return shape.hashCode();
        }
    }

    @Override
    public Optional<Object> group(Remainder remainder) {
        ListState list = remainder.list();
        PageShape shape = PageShape.of(list, request(remainder.from()));
        return CountSql.canCountSeveral(list, shape)
                ? Optional.of(new Group(list.feed(), list.order(), shape))
                : Optional.empty();
    }

    @Override
    public Uni<List<ItemCount>> countAfterChange(List<Remainder> remainders, int cap) {
        Remainder first = remainders.get(0);
        Optional<Floor> floor = Optional.empty();
        for (Remainder remainder : remainders) {
            floor = Floor.later(floor, remainder.from().floor());
        }
        ReadPreference preference = ReadPreference.afterNotification(floor);
        if (remainders.size() == 1) {
            return countRemaining(first.list(), first.from(), cap, preference).map(List::of);
        }
        PageShape shape = PageShape.of(first.list(), request(first.from()));
        return CountSql.countRemainingOfSeveral(first.list(), shape, cap)
                .map(statement -> read(
                        statement,
                        arrays(remainders, shape),
                        Collectors.mapping((Row row) -> new ItemCount(row.getInteger(0), false), Collectors.toList()),
                        preference))
                .orElseGet(() -> Uni.createFrom().item(Collections.nCopies(remainders.size(), NONE)));
    }

    private static PageRequest request(Continuation from) {
        return new PageRequest(Optional.of(from), 1);
    }

    /** Returns the parameters of all remainders as arrays in PostgreSQL's text form, one array for each parameter. */
    private static List<String> arrays(List<Remainder> remainders, PageShape shape) {
        List<StringBuilder> arrays = new ArrayList<>();
        for (Remainder remainder : remainders) {
            List<String> values = shape.parameters(remainder.list(), request(remainder.from()));
            for (int i = 0; i < values.size(); i++) {
                if (i == arrays.size()) {
                    arrays.add(new StringBuilder());
                }
                StringBuilder array = arrays.get(i);
                appendElement(array.append(array.isEmpty() ? '{' : ','), values.get(i));
            }
        }
        return arrays.stream().map(array -> array.append('}').toString()).toList();
    }

    private static void appendElement(StringBuilder array, @Nullable String value) {
        if (value == null) {
            array.append("NULL");
            return;
        }
        array.append('"');
        for (int i = 0; i < value.length(); i++) {
            char next = value.charAt(i);
            if (next == '"' || next == '\\') {
                array.append('\\');
            }
            array.append(next);
        }
        array.append('"');
    }

    private Uni<ItemCount> countRemaining(ListState state, Continuation from, int cap, ReadPreference preference) {
        PageRequest request = request(from);
        PageShape shape = PageShape.of(state, request);
        return CountSql.countRemaining(state, shape, cap)
                .map(statement -> read(statement, shape.parameters(state, request), PgFeedCounter::count, preference))
                .orElseGet(() -> Uni.createFrom().item(NONE));
    }

    @Override
    public Uni<ValueCounts> countByValue(CountsByValue counts) {
        return countByValue(counts, ReadPreference.ofList(counts.list(), Optional.empty()));
    }

    @Override
    public Uni<ValueCounts> countByValueAfterChange(CountsByValue counts) {
        return countByValue(counts, ReadPreference.afterNotification(Optional.empty()));
    }

    private Uni<ValueCounts> countByValue(CountsByValue counts, ReadPreference preference) {
        List<String> parameters = parameters(counts.list());
        counts.named().ifPresent(values -> {
            StringBuilder array = new StringBuilder("{");
            values.forEach(value -> appendElement(array.append(array.length() == 1 ? "" : ","), value));
            parameters.add(array.append('}').toString());
        });
        return read(
                ValueCountSql.statement(counts),
                parameters,
                Collector.of(
                        () -> new FoundValues(counts.named().isEmpty() ? MAX_VALUE_CHARACTERS : Integer.MAX_VALUE),
                        FoundValues::add,
                        (one, other) -> one,
                        FoundValues::counts),
                preference);
    }

    /** Keeps counts until there are too many, or the values are too large for the memory of many such requests. */
    private static final class FoundValues {

        private final int maxCharacters;
        private final List<CountOfValue> counts = new ArrayList<>();
        private boolean isComplete = true;
        private long characters;

        FoundValues(int maxCharacters) {
            this.maxCharacters = maxCharacters;
        }

        void add(Row row) {
            characters += row.getValue(0) instanceof String text ? text.length() : 0;
            if (counts.size() < MAX_VALUES && characters <= maxCharacters) {
                counts.add(new CountOfValue(new DriverRow(row), row.getInteger(1)));
            } else {
                isComplete = false;
            }
        }

        ValueCounts counts() {
            return new ValueCounts(counts, isComplete);
        }
    }

    @Override
    public boolean isServedByIndex(CountsByValue counts) {
        return ValueCountSql.isServedByIndex(counts);
    }

    @Override
    public Uni<ItemCount> countAll(ListState state, int cap, Optional<Floor> floor) {
        return read(
                CountSql.countAll(state, cap),
                parameters(state),
                PgFeedCounter::count,
                ReadPreference.ofList(state, floor));
    }

    private static ItemCount count(Row row) {
        return new ItemCount(row.getInteger(0), row.getBoolean(1));
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
     * Returns the estimated number of rows. For a Citus table, EXPLAIN shows the plan of only one task. The estimate
     * of this plan is multiplied by the number of tasks, as if all shards had the same size.
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
        return read(
                statement,
                parameters,
                Collectors.collectingAndThen(Collectors.mapping(value, Collectors.toList()), values -> values.get(0)),
                preference);
    }

    private <T> Uni<T> read(
            Statement statement, List<String> parameters, Collector<Row, ?, T> collector, ReadPreference preference) {
        Supplier<RowReceiver<T>> receivers = () -> RowReceiver.of(collector);
        return database.read(statement, parameters, receivers, preference).map(Result::value);
    }
}
