package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Soak;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages at offsets, over a table full of ties. */
@UsesTestDatabase
class OffsetWalkTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTables() {
        DATABASE.run(KeyTypesTable.DDL);
        DATABASE.run("""
                DROP TABLE IF EXISTS counted_scores CASCADE;
                CREATE TABLE counted_scores (player text, points int, note jsonb);
                INSERT INTO counted_scores SELECT 'p' || i % 37, i % 3, '{}' FROM generate_series(1, 110) i;
                CREATE VIEW counted_ranking AS SELECT rank() OVER (ORDER BY points DESC) AS place, player, note FROM counted_scores;
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id",
                "tie, stamp desc",
                "word_n desc nulls last, day",
                "flag nulls first, mood_n",
                "real_n, num_n desc nulls last"
            })
    void aWalkForwardAndBackShowsEveryRowOnce(String order) {
        Feed feed =
                DATABASE.feed("table", "shapes", "columns", "id", "orders.o", order, "universal.strategy", "offset");
        List<String> expected = ids("SELECT id::text AS item FROM shapes ORDER BY " + order
                + (order.endsWith("desc") || order.endsWith("desc nulls last") ? ", id DESC" : ", id"));
        for (int size : Soak.pageSizes(feed.name())) {
            assertThat(forward(feed, size)).as("forward by %d", size).isEqualTo(expected);
            assertThat(backward(feed, size, 120)).as("back by %d", size).isEqualTo(expected);
            assertThat(backward(feed, size, 500))
                    .as("back from beyond the end by %d", size)
                    .isEqualTo(expected);
        }
    }

    /** Rows that tie in all shown columns look the same, so their relative order does not matter. */
    @Test
    void aViewWithoutAKeyIsWalkedExactlyDespiteTies() {
        Feed feed = DATABASE.feed(
                "table",
                "counted_ranking",
                "columns",
                "player, place, note",
                "orders.o",
                "place",
                "universal.strategy",
                "offset");
        List<String> expected = ids("SELECT player FROM counted_ranking ORDER BY place, player");
        assertThat(expected).hasSize(110);
        for (int size : Soak.pageSizes(feed.name())) {
            assertThat(forward(feed, size)).as("forward by %d", size).isEqualTo(expected);
            assertThat(backward(feed, size, 110)).as("back by %d", size).isEqualTo(expected);
        }
    }

    /** No order tells these rows apart: the type json has none, and in the order of numeric, 1.0 equals 1.00. */
    @ParameterizedTest
    @ValueSource(strings = {"to_json(i)", "(1 || '.' || repeat('0', i))::numeric"})
    void aViewWithoutAKeyIsWalkedExactlyDespiteUnsortableDifferences(String look) {
        DATABASE.run("DROP VIEW IF EXISTS counted_looks; CREATE VIEW counted_looks AS SELECT i % 2 AS place, " + look
                + " AS look FROM generate_series(1, 60) i");
        Feed feed = DATABASE.feed(
                "table",
                "counted_looks",
                "columns",
                "look, place",
                "orders.o",
                "place",
                "universal.strategy",
                "offset");
        List<String> all = ids("SELECT look::text FROM counted_looks");
        for (int size : Soak.pageSizes(feed.name())) {
            assertThat(forward(feed, size)).as("forward by %d", size).containsExactlyInAnyOrderElementsOf(all);
            assertThat(backward(feed, size, 60)).as("back by %d", size).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void conditionsApplyToPagesAtOffsets() {
        Feed feed = DATABASE.feed(
                "table",
                "shapes",
                "columns",
                "id",
                "orders.o",
                "id",
                "filters.tie",
                "equals",
                "visible",
                "id > 8 OR false");
        Condition condition = new Condition.AnyOf(feed.filters().get("tie").column(), List.of("1", "3", "2"));
        assertThat(forward(feed, 7, condition))
                .isEqualTo(ids("SELECT id::text AS item FROM shapes WHERE tie IN (1, 2, 3) AND id > 8 ORDER BY id"));
    }

    @Test
    void theFlagsOfAllPagesAreCorrectOnBothSides() {
        Feed feed = DATABASE.feed("table", "shapes", "columns", "id", "orders.o", "id");
        assertThat(read(feed, 0, Direction.FORWARD, 120)).isEqualTo(new OffsetPage(0, 120, false, false));
        assertThat(read(feed, 0, Direction.FORWARD, 119)).isEqualTo(new OffsetPage(0, 119, false, true));
        assertThat(read(feed, 1, Direction.FORWARD, 119)).isEqualTo(new OffsetPage(1, 119, true, false));
        assertThat(read(feed, 120, Direction.FORWARD, 5)).isEqualTo(new OffsetPage(120, 0, true, false));
        assertThat(read(feed, 500, Direction.FORWARD, 5)).isEqualTo(new OffsetPage(500, 0, true, false));
        assertThat(read(feed, 0, Direction.BACKWARD, 5)).isEqualTo(new OffsetPage(0, 0, false, true));
        assertThat(read(feed, 5, Direction.BACKWARD, 5)).isEqualTo(new OffsetPage(0, 5, false, true));
        assertThat(read(feed, 6, Direction.BACKWARD, 5)).isEqualTo(new OffsetPage(1, 5, true, true));
        assertThat(read(feed, 120, Direction.BACKWARD, 5)).isEqualTo(new OffsetPage(115, 5, true, false));
        assertThat(read(feed, 500, Direction.BACKWARD, 5)).isEqualTo(new OffsetPage(115, 5, true, false));
        assertThat(read(feed, 500, Direction.BACKWARD, 120)).isEqualTo(new OffsetPage(0, 120, false, false));
    }

    @Test
    void anEmptyListHasNothingOnEitherSide() {
        Feed feed = DATABASE.feed("table", "shapes", "columns", "id", "orders.o", "id", "visible", "id < 0");
        for (Direction direction : Direction.values()) {
            assertThat(read(feed, 0, direction, 5)).isEqualTo(new OffsetPage(0, 0, false, false));
            assertThat(read(feed, 9, direction, 5)).isEqualTo(new OffsetPage(9, 0, false, false));
        }
    }

    private static List<String> forward(Feed feed, int size, Condition... conditions) {
        List<String> all = new ArrayList<>();
        OffsetPage page = new OffsetPage(0, 0, false, true);
        while (page.hasNext()) {
            OffsetRequest request = new OffsetRequest(page.precedingCount() + page.size(), Direction.FORWARD, size);
            page = read(feed, request, all, conditions);
            assertThat(page.hasPrevious()).isEqualTo(request.precedingCount() > 0);
            assertThat(all).hasSizeLessThan(1_000);
        }
        return all;
    }

    private static List<String> backward(Feed feed, int size, int from) {
        List<String> all = new ArrayList<>();
        OffsetPage page = new OffsetPage(from, 0, true, false);
        while (page.hasPrevious()) {
            page = read(feed, new OffsetRequest(page.precedingCount(), Direction.BACKWARD, size), all);
            assertThat(all).hasSizeLessThan(1_000);
        }
        assertThat(page.precedingCount()).isZero();
        Collections.reverse(all);
        return all;
    }

    private static OffsetPage read(Feed feed, int preceding, Direction direction, int size) {
        return read(feed, new OffsetRequest(preceding, direction, size), new ArrayList<>());
    }

    private static OffsetPage read(Feed feed, OffsetRequest request, List<String> sink, Condition... conditions) {
        int before = sink.size();
        OffsetPage page = DATABASE.reader()
                .read(
                        new ListState(feed, feed.orders().byDefault(), List.of(conditions)),
                        request,
                        row -> sink.add(feed.columns().get(0).name().equals("id") ? "" + row.integer(0) : row.text(0)))
                .await()
                .atMost(Duration.ofSeconds(60));
        assertThat(page.size()).isEqualTo(sink.size() - before);
        return page;
    }

    private static List<String> ids(String sql) {
        return DATABASE.rows(sql).stream().map(row -> row.getString(0)).toList();
    }
}
