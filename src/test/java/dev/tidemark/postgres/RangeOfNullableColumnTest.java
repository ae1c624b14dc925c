package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A range of a column that can be NULL, beside several values of the column that precedes it in an index. PostgreSQL
 * 17.9 returns rows with NULL for {@code assignee IN (0, 1, 2) AND edited >= 5}.
 */
@UsesTestDatabase
class RangeOfNullableColumnTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS chores;
                CREATE TABLE chores (id bigint PRIMARY KEY, created int NOT NULL, assignee int NOT NULL, edited int, team text,
                  body text);
                CREATE INDEX ON chores (assignee, edited DESC, id DESC);
                CREATE INDEX ON chores (assignee, team text_pattern_ops DESC, id DESC);
                CREATE INDEX ON chores (created, id);
                INSERT INTO chores SELECT i, i, i % 40, CASE WHEN i / 40 % 3 > 0 THEN i / 40 END,
                  CASE WHEN i / 40 % 3 > 0 THEN chr(97 + i / 40 % 26) || i END, repeat('b', 300)
                  FROM generate_series(1, 11000) i ORDER BY hashint8(i);
                VACUUM ANALYZE chores;
                """);
    }

    static Stream<List<String>> assignees() {
        return IntStream.range(0, 37).mapToObj(first -> Stream.of(first, first + 1, first + 2)
                .map(String::valueOf)
                .toList());
    }

    private static List<Condition> conditions(Feed feed, List<String> assignees) {
        return List.of(
                new Condition.AnyOf(feed.filters().get("assignee").column(), assignees),
                new Condition.Comparison(feed.filters().get("edited").column(), Operator.GTE, "5"));
    }

    private static Feed feed(String order) {
        return DATABASE.feed(
                "table",
                "chores",
                "columns",
                "id",
                "orders.o",
                order,
                "filters.assignee",
                "equals",
                "filters.edited",
                "range",
                "filters.team",
                "text");
    }

    private static int countAll(Feed feed, List<Condition> conditions) {
        ListState state = new ListState(feed, feed.orders().byDefault(), conditions);
        return DATABASE.counter()
                .countAll(state, 10_000, Optional.empty())
                .map(ItemCount::value)
                .await()
                .indefinitely();
    }

    /** The sort by an expression keeps PostgreSQL from using the index. */
    private static List<String> expected(List<String> assignees) {
        return DATABASE
                .rows("SELECT id::text FROM chores WHERE assignee + 0 IN (" + String.join(",", assignees)
                        + ") AND edited + 0 >= 5 ORDER BY created, id")
                .stream()
                .map(row -> row.getString(0))
                .toList();
    }

    @Test
    void anExactCountCountsNoNulls() {
        Feed feed = feed("edited desc");
        assertThat(assignees()).allSatisfy(some -> assertThat(countAll(feed, conditions(feed, some)))
                .isEqualTo(expected(some).size()));
    }

    /** A search box can send an empty prefix. */
    @Test
    void anExactCountForAnEmptyPrefixCountsNoNulls() {
        Feed feed = feed("created");
        assertThat(assignees()).allSatisfy(some -> {
            List<Condition> conditions = List.of(
                    new Condition.AnyOf(feed.filters().get("assignee").column(), some),
                    new Condition.Prefix(feed.filters().get("team").column(), ""));
            String rows =
                    "SELECT 1 FROM chores WHERE team IS NOT NULL AND assignee + 0 IN (" + String.join(",", some) + ")";
            assertThat(countAll(feed, conditions)).isEqualTo(DATABASE.rows(rows).size());
        });
    }

    @Test
    void aListInAnotherOrderContainsNoNulls() {
        Feed feed = feed("created");
        assertThat(assignees()).allSatisfy(some -> {
            Walk walk =
                    new Walk(DATABASE.reader(), feed, 50, conditions(feed, some).toArray(Condition[]::new));
            assertThat(walk.forward()).isEqualTo(expected(some));
            assertThat(walk.backward()).isEqualTo(expected(some));
        });
    }
}
