package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A page of 50 items touches at most 100 buffers at nine tenths of a list of 200,000 rows, in every kind of order,
 * with common and rare filter values, and with custom and generic plans. The rows are stored in the heap in random
 * order with respect to the list, so each row needs its own buffer.
 */
@UsesTestDatabase
class BuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int MAX_BUFFERS = 100;

    /**
     * Cached gaps, by the statement that finds their position. Such a statement sorts the whole list, so it is
     * executed only once.
     */
    private static final Map<String, Gap> DEEP_GAPS = new HashMap<>();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS deep;
                CREATE TABLE deep (
                  id bigint PRIMARY KEY, made timestamptz NOT NULL, edited timestamptz, rank int NOT NULL,
                  status text NOT NULL, owner text, gone timestamptz, filler text NOT NULL, detail jsonb NOT NULL);
                INSERT INTO deep SELECT i,
                  '2026-01-01'::timestamptz + (abs(hashint8(i)) % 40000) * interval '1 minute',
                  CASE WHEN i % 3 = 0 THEN '2026-01-01'::timestamptz + (abs(hashint8(i + 7)) % 90000) * interval '1 minute' END,
                  abs(hashint8(i + 3)) % 50,
                  CASE WHEN i % 50000 = 7 THEN 'rare' ELSE (ARRAY['open', 'closed', 'pending'])[1 + abs(hashint8(i + 1)) % 3] END,
                  CASE WHEN i % 20000 = 9 THEN NULL ELSE 'agent' || abs(hashint8(i + 2)) % 12 END,
                  CASE WHEN i % 31 = 0 THEN now() END, repeat('x', 100),
                  jsonb_build_object('kind', CASE WHEN i % 40000 = 11 THEN 'odd' ELSE 'kind' || abs(hashint8(i + 5)) % 7 END)
                FROM generate_series(1, 200000) i;
                CREATE INDEX ON deep (made DESC, id DESC) WHERE gone IS NULL;
                CREATE INDEX ON deep (edited DESC NULLS LAST, id DESC);
                CREATE INDEX ON deep (edited NULLS FIRST, id);
                CREATE INDEX ON deep (rank, made DESC, id DESC);
                CREATE INDEX ON deep (status, made DESC, id DESC) WHERE gone IS NULL;
                CREATE INDEX ON deep (status, rank, made DESC, id DESC);
                CREATE INDEX ON deep (owner, made DESC, id DESC);
                CREATE INDEX ON deep (status DESC, edited DESC NULLS LAST, id DESC);
                CREATE INDEX ON deep ((coalesce(edited, made)) DESC, id DESC);
                CREATE INDEX ON deep ((detail ->> 'kind'), made DESC, id DESC);
                CREATE INDEX ON deep ((detail ->> 'kind'), (coalesce(edited, made)) DESC, id DESC);
                VACUUM ANALYZE deep;
                """);
    }

    static Stream<Arguments> lists() {
        return Stream.of(
                Arguments.of("made desc", ""),
                Arguments.of("made", ""),
                Arguments.of("edited desc nulls last", ""),
                Arguments.of("edited nulls first", ""),
                Arguments.of("rank, made desc", ""),
                Arguments.of("rank desc, made", ""),
                Arguments.of("made desc", "status=open"),
                Arguments.of("made desc", "status=rare"),
                Arguments.of("made", "status=rare"),
                Arguments.of("rank, made desc", "status=closed"),
                Arguments.of("rank, made desc", "status=rare"),
                Arguments.of("edited desc nulls last", "status=open"),
                Arguments.of("edited desc nulls last", "status=rare"),
                Arguments.of("made desc", "owner=agent3"),
                Arguments.of("made desc", "owner is null"),
                Arguments.of("rank, made desc", "rank=3,4"),
                Arguments.of("rank, made desc", "rank=10,30"),
                Arguments.of("made desc", "status=open,rare,pending"),
                Arguments.of("rank, made desc", "status=open,rare,pending"),
                Arguments.of("edited desc nulls last", "status=open,rare"),
                Arguments.of("activity desc", ""),
                Arguments.of("activity", ""),
                Arguments.of("made desc", "kind=kind3"),
                Arguments.of("made desc", "kind=odd"),
                Arguments.of("activity desc", "kind=kind3"),
                Arguments.of("activity desc", "kind=odd,kind2"));
    }

    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void aDeepPageCostsFewBuffers(String order, String filter) {
        Feed feed = feed(order);
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions(feed, filter));
        for (Direction direction : Direction.values()) {
            PageRequest page = new PageRequest(Optional.of(new Continuation(deepGap(feed, filter), direction)), 50);
            assertThat(buffers(feed, state, page, "force_custom_plan"))
                    .as("%s, planned for these values", direction)
                    .isLessThanOrEqualTo(MAX_BUFFERS);
            assertThat(buffers(feed, state, page, "force_generic_plan"))
                    .as("%s, planned for any values", direction)
                    .isLessThanOrEqualTo(MAX_BUFFERS);
        }
        PageRequest first = new PageRequest(Optional.empty(), 50);
        assertThat(buffers(feed, state, first, "force_generic_plan"))
                .as("the first page")
                .isLessThanOrEqualTo(MAX_BUFFERS);
    }

    /** The usual case: the last item of the page before still exists. */
    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void aPageAfterAnItemReadsNothingBeforeIt(String order, String filter) {
        Feed feed = feed(order);
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions(feed, filter));
        Optional<Continuation> from = Optional.of(new Continuation(deepGap(feed, filter), Direction.FORWARD));
        PageRequest page = new PageRequest(from, 50);
        OrderStatements statements = new OrderStatements(feed, state.order());
        PageShape shape = PageShape.of(state, page)
                .includingPosition(statements.columns())
                .orElseThrow();
        assertThat(buffers(statements.page(shape), shape.parameters(state, page), "force_generic_plan"))
                .isLessThan(buffers(feed, state, page, "force_generic_plan"));
    }

    /** A page around a value reads rows on both sides of the value, so twice as many buffers are allowed. */
    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void aJumpCostsFewBuffersAnywhere(String order, String filter) {
        Feed feed = feed(order);
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions(feed, filter));
        Position deep = deepGap(feed, filter).position();
        Gap value = deep.isNull(0) ? Gap.before(deep) : Gap.before(Position.of(deep.value(0)));
        Optional<Continuation> from = Optional.of(new Continuation(value, Direction.FORWARD));
        assertThat(buffers(feed, state, new PageRequest(from, 50), "force_generic_plan"))
                .as("from a value")
                .isLessThanOrEqualTo(MAX_BUFFERS);
        assertThat(buffers(
                        feed,
                        state,
                        new PageRequest(from, 50, OptionalInt.of(25), Optional.empty()),
                        "force_generic_plan"))
                .as("around a value")
                .isLessThanOrEqualTo(2 * MAX_BUFFERS);
    }

    /** The cost of a "new messages" button: the statement fetches no more rows than it counts. */
    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("lists")
    void aCountOfNewItemsReadsNoMoreThanItCounts(String order, String filter) {
        Feed feed = feed(order);
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions(feed, filter));
        for (Direction direction : Direction.values()) {
            PageRequest request = new PageRequest(Optional.of(new Continuation(deepGap(feed, filter), direction)), 1);
            PageShape shape = PageShape.of(state, request);
            Statement count = CountSql.countRemaining(state, shape, 100).orElseThrow();
            assertThat(buffers(count, shape.parameters(state, request), "force_generic_plan"))
                    .as("a hundred counted, %s", direction)
                    .isLessThanOrEqualTo(100 + MAX_BUFFERS / 2);
        }
    }

    /**
     * The planner chooses an index by its estimate of the rows in the range, which is low if few rows have a value at
     * all.
     */
    @Test
    void aRangeOfAMostlyEmptyOrderColumnReadsOnlyRowsOfTheFilter() {
        DATABASE.run("""
                DROP TABLE IF EXISTS sparse;
                CREATE TABLE sparse (id int PRIMARY KEY, cat int NOT NULL, edited int, filler text NOT NULL);
                INSERT INTO sparse SELECT i, hashint4(i) & 1023, CASE WHEN i % 100 = 0 THEN i END, repeat('x', 60)
                  FROM generate_series(1, 400000) i;
                CREATE INDEX ON sparse (edited, id);
                CREATE INDEX ON sparse (cat, edited, id);
                VACUUM ANALYZE sparse;
                """);
        Feed feed = DATABASE.feed(
                "table", "sparse", "orders.o", "edited", "filters.cat", "equals", "filters.edited", "range");
        Column edited = feed.filters().get("edited").column();
        List<Condition> conditions = List.of(
                new Condition.AnyOf(feed.filters().get("cat").column(), List.of("5")),
                new Condition.Comparison(edited, Filter.Operator.GTE, "1"),
                new Condition.Comparison(edited, Filter.Operator.LT, "390000"));
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions);
        Gap gap = Gap.after(Position.of("100", "100"));
        PageRequest page = new PageRequest(Optional.of(new Continuation(gap, Direction.FORWARD)), 50);
        assertThat(buffers(feed, state, page, "force_generic_plan")).isLessThanOrEqualTo(MAX_BUFFERS);
    }

    /** PostgreSQL stores the long bodies out of line (TOAST), so the keys of many rows are in one buffer. */
    @Test
    void aPageSinceAMomentFetchesLittleBesidesItsKeys() {
        DATABASE.run("""
                DROP TABLE IF EXISTS kept;
                CREATE TABLE kept (id bigint PRIMARY KEY, made timestamptz NOT NULL, body text NOT NULL);
                ALTER TABLE kept ALTER body SET STORAGE EXTERNAL;
                INSERT INTO kept SELECT i, '2026-01-01'::timestamptz + i * interval '1 minute', repeat('x', 5000)
                  FROM generate_series(1, 2000) i;
                CREATE INDEX ON kept (made DESC, id DESC);
                VACUUM ANALYZE kept;
                """);
        TestPostgres.awaitEndOfOpenTransactions();
        Feed feed = DATABASE.feed("table", "kept", "orders.o", "made desc", "delta", "true");
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of());
        Optional<Moment> moment = DATABASE.reader()
                .read(state, new PageRequest(Optional.empty(), 1), row -> {})
                .await()
                .atMost(Duration.ofSeconds(9))
                .moment();
        DATABASE.run("UPDATE kept SET body = 'new' WHERE id IN (1999, 1900, 1800, 1700, 1600)");

        PageRequest page = new PageRequest(Optional.empty(), 500).withSince(moment);
        RefreshedRows rows = new RefreshedRows();
        DATABASE.reader().read(state, page, rows).await().atMost(Duration.ofSeconds(9));

        assertThat(rows.unchanged).isEqualTo(495);
        assertThat(rows.bodies).containsOnly("new").hasSize(5);
        assertThat(buffers(feed, state, page, "force_generic_plan")).isLessThanOrEqualTo(100);
    }

    private static final class RefreshedRows implements RowSink {
        private final List<String> bodies = new ArrayList<>();
        private int unchanged;

        @Override
        public void accept(RowValues row) {
            bodies.add(row.text(2));
        }

        @Override
        public void acceptUnchanged(RowValues row) {
            assertThat(row.isNull(2)).isTrue();
            unchanged++;
        }
    }

    private static Feed feed(String order) {
        return DATABASE.feed(
                "table",
                "deep",
                "orders.o",
                order,
                "visible",
                "gone is null",
                "filters.status",
                "equals",
                "filters.owner",
                "equals",
                "filters.rank",
                "equals",
                "derived.activity",
                "coalesce(edited, made)",
                "derived.kind",
                "detail ->> 'kind'",
                "filters.kind",
                "equals");
    }

    private static List<Condition> conditions(Feed feed, String filter) {
        if (filter.isEmpty()) {
            return List.of();
        } else if (filter.endsWith(" is null")) {
            return List.of(new Condition.Nullness(feed.filters().get("owner").column(), true));
        }
        String[] parts = filter.split("=");
        return List.of(new Condition.AnyOf(feed.filters().get(parts[0]).column(), List.of(parts[1].split(","))));
    }

    /** The gap after nine tenths of the list. */
    private static Gap deepGap(Feed feed, String filter) {
        String where = "gone IS NULL";
        if (filter.endsWith(" is null")) {
            where += " AND " + filter;
        } else if (!filter.isEmpty()) {
            String column = filter.split("=")[0].replace("kind", "(detail ->> 'kind')");
            where += " AND " + column + " IN ('" + filter.split("=")[1].replace(",", "', '") + "')";
        }
        String keys = feed.orders().byDefault().keys().stream()
                .map(key -> Sql.column("deep", key.column()) + "::text")
                .collect(Collectors.joining(", "));
        return DEEP_GAPS.computeIfAbsent(
                "SELECT " + keys + " FROM deep WHERE " + where
                        + Sql.orderBy("deep", feed.orders().byDefault().keys())
                        + " OFFSET (SELECT count(*) * 9 / 10 FROM deep WHERE " + where + ") LIMIT 1",
                BuffersTest::gap);
    }

    /** The gap after the position that a statement returns. */
    static Gap gap(String sql) {
        Row row = DATABASE.rows(sql).get(0);
        String[] values = new String[row.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.getString(i);
        }
        return Gap.after(Position.of(values));
    }

    /** The number of buffers that the server's statement touches, without those for planning. */
    static int buffers(Feed feed, ListState state, PageRequest page, String planMode) {
        PageShape shape = PageShape.of(state, page);
        Statement sql = new OrderStatements(feed, state.order()).page(shape);
        return buffers(sql, shape.parameters(state, page), planMode);
    }

    private static int buffers(Statement sql, List<String> parameters, String planMode) {
        String values = parameters.stream()
                .map(value -> value == null ? "NULL" : '\'' + value + '\'')
                .collect(Collectors.joining(", ", "(", ")"));
        return TestDatabase.buffers(DATABASE.explain(sql, values, planMode));
    }
}
