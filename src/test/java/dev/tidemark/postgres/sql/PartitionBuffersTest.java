package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Soak;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A page of a table that is partitioned by range reads only the partitions that contain its rows. A partition stores
 * its rows in the order of their times, so that the rows of a page are in few buffers.
 */
@UsesTestDatabase
class PartitionBuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private static final int ROWS = 24_000;

    /** The larger number of partitions: 60, or 200 with a {@code soak.factor}. */
    private static final int MANY_PARTITIONS = Math.min(200, Soak.times(60));

    /** A pin that is greater than the times of all rows. */
    private static final Pin LATEST_PIN = new Pin(Optional.of("2027-01-01T00:00:00Z"));

    /**
     * A few for each side of the gap, and one for each row of the page if rows that match the filter are far apart.
     */
    private static final int MAX_BUFFERS_OF_A_RANGE = 40;

    @BeforeAll
    static void makeTables() {
        for (int partitions : new int[] {12, MANY_PARTITIONS}) {
            String table = "ranged" + partitions;
            makeTable(table, "RANGE (made)", "made, id");
            int minutes = ROWS / partitions;
            for (int i = 0; i < partitions; i++) {
                DATABASE.run("CREATE TABLE " + table + "_" + i + " PARTITION OF " + table + " FOR VALUES FROM ("
                        + minuteSql(i * minutes) + ") TO (" + minuteSql((i + 1) * minutes) + ")");
            }
            fill(table);
        }
        makeTable("hashed8", "HASH (id)", "id");
        for (int i = 0; i < 8; i++) {
            DATABASE.run("CREATE TABLE hashed8_" + i + " PARTITION OF hashed8 FOR VALUES WITH (MODULUS 8, REMAINDER "
                    + i + ")");
        }
        fill("hashed8");
    }

    private static void makeTable(String table, String partitionBy, String key) {
        DATABASE.run("DROP TABLE IF EXISTS " + table + " CASCADE");
        DATABASE.run("CREATE TABLE " + table + " (id bigint, made timestamptz NOT NULL, edited timestamptz,"
                + " rank int NOT NULL, status text NOT NULL, filler text NOT NULL, PRIMARY KEY (" + key + "))"
                + " PARTITION BY " + partitionBy);
    }

    /** Every fifth minute is the time of five rows. */
    private static void fill(String table) {
        DATABASE.run("""
                INSERT INTO %1$s SELECT i, '2026-01-01Z'::timestamptz + (i - i %% 5) * interval '1 minute',
                  CASE WHEN i %% 3 = 0 THEN '2026-01-01Z'::timestamptz + (i * 7 %% %2$d) * interval '1 minute' END,
                  i * 31 %% 40, (ARRAY['open', 'closed', 'pending'])[1 + i %% 3], repeat('x', 150)
                FROM generate_series(0, %2$d - 1) i;
                CREATE INDEX ON %1$s (made DESC, id DESC);
                CREATE INDEX ON %1$s (made DESC, rank, id);
                CREATE INDEX ON %1$s (made DESC, edited DESC NULLS LAST, id DESC);
                CREATE INDEX ON %1$s (status, made DESC, id DESC);
                CREATE INDEX ON %1$s (rank, made DESC, id DESC);
                CREATE INDEX ON %1$s (edited DESC NULLS LAST, id DESC);
                VACUUM ANALYZE %1$s;
                """.formatted(table, ROWS));
    }

    private static String minuteSql(int minute) {
        return "'2026-01-01Z'::timestamptz + " + minute + " * interval '1 minute'";
    }

    static Stream<Arguments> rangeLists() {
        return Stream.of(
                Arguments.of("ranged12", "made desc", ""),
                Arguments.of("ranged12", "made", ""),
                Arguments.of("ranged12", "live made", ""),
                Arguments.of("ranged12", "made desc, rank", ""),
                Arguments.of("ranged12", "made desc, edited desc nulls last", ""),
                Arguments.of("ranged12", "made desc", "status=open"),
                Arguments.of("ranged12", "made", "status=open,pending"),
                Arguments.of("ranged12", "rank, made desc", "rank=7"),
                Arguments.of("ranged" + MANY_PARTITIONS, "made desc", ""),
                Arguments.of("ranged" + MANY_PARTITIONS, "made", "status=open"));
    }

    @ParameterizedTest(name = "{0} by {1} where {2}")
    @MethodSource("rangeLists")
    void aPageReadsOnlyThePartitionsOfItsRows(String table, String order, String filter) {
        ListState state = state(table, order, filter);
        Map<String, PageRequest> pages = pages(state, filter);
        pages.forEach((name, page) -> assertThat(buffers(state, page, "force_generic_plan"))
                .as(name)
                .isLessThanOrEqualTo(MAX_BUFFERS_OF_A_RANGE));
        assertThat(buffers(state, pages.get("forward from 50 %"), "force_custom_plan"))
                .as("planned for these values")
                .isLessThanOrEqualTo(MAX_BUFFERS_OF_A_RANGE);
    }

    /**
     * Each hash partition contains some rows of every page, and some of the rows that prove that there are items on
     * the other side of the gap.
     */
    static Stream<Arguments> hashLists() {
        return Stream.of(
                Arguments.of("made desc", ""),
                Arguments.of("made", ""),
                Arguments.of("made desc, rank", ""),
                Arguments.of("edited desc nulls last", ""),
                Arguments.of("rank, made desc", "rank=7"));
    }

    @ParameterizedTest(name = "{0} where {1}")
    @MethodSource("hashLists")
    void aPageOfAHashPartitionedTableReadsAFewBuffersOfEachPartition(String order, String filter) {
        ListState state = state("hashed8", order, filter);
        pages(state, filter).forEach((name, page) -> assertThat(buffers(state, page, "force_generic_plan"))
                .as(name)
                .isLessThanOrEqualTo(100));
    }

    private static int buffers(ListState state, PageRequest page, String planMode) {
        return BuffersTest.buffers(state.feed(), state, page, planMode);
    }

    private static ListState state(String table, String order, String filter) {
        boolean live = order.startsWith("live ");
        Feed feed = DATABASE.feed(
                "table",
                table,
                "orders.o",
                live ? order.substring(5) : order,
                "live-orders",
                live ? "o" : "",
                "filters.status",
                "equals",
                "filters.rank",
                "equals");
        List<Condition> conditions = filter.isEmpty()
                ? List.of()
                : List.of(new Condition.AnyOf(
                        feed.filters().get(filter.split("=")[0]).column(), List.of(filter.split("=")[1].split(","))));
        return new ListState(feed, feed.orders().byDefault(), conditions);
    }

    /** Pages of each kind at several depths; the keys describe them. */
    private static Map<String, PageRequest> pages(ListState state, String filter) {
        Map<String, PageRequest> pages = new LinkedHashMap<>();
        for (int percent : new int[] {1, 50, 98}) {
            Gap gap = gap(state, filter, percent);
            Gap value = Gap.before(Position.of(gap.position().value(0)));
            Optional<Continuation> forward = Optional.of(new Continuation(gap, Direction.FORWARD));
            Continuation pinned = new Continuation(gap, Direction.FORWARD, Optional.of(LATEST_PIN));
            String from = " from " + percent + " %";
            pages.put("forward" + from, new PageRequest(forward, 20));
            pages.put("backward" + from, new PageRequest(Optional.of(new Continuation(gap, Direction.BACKWARD)), 20));
            pages.put(
                    "around a value" + from,
                    new PageRequest(
                            Optional.of(new Continuation(value, Direction.FORWARD)),
                            20,
                            OptionalInt.of(10),
                            Optional.empty()));
            pages.put(
                    "until a gap" + from,
                    new PageRequest(forward, 20, OptionalInt.empty(), Optional.of(gap(state, filter, percent + 1))));
            if (state.order().needsPin()) {
                pages.put("pinned" + from, new PageRequest(Optional.of(pinned), 20));
            }
        }
        return pages;
    }

    private static Gap gap(ListState state, String filter, int percent) {
        String table = state.feed().relation().name();
        String keys = state.order().keys().stream()
                .map(key -> Sql.column(table, key.column()) + "::text")
                .collect(Collectors.joining(", "));
        String from = " FROM " + table
                + (filter.isEmpty()
                        ? ""
                        : " WHERE " + filter.replace("=", "::text IN ('").replace(",", "','") + "')");
        return BuffersTest.gap(
                "SELECT " + keys + from + Sql.orderBy(table, state.order().keys()) + " OFFSET (SELECT count(*) * "
                        + percent + " / 100" + from + ") LIMIT 1");
    }
}
