package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes on whole numbers serve orders and filters of these numbers as times, also if they are of 32 bits. */
@UsesTestDatabase
class EpochBuffersTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int MAX_BUFFERS = 100;

    /** The value at the middle of the table. */
    private static final String MIDDLE = "1768050000";

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS deep_times;
                CREATE TABLE deep_times (id bigint PRIMARY KEY, made_s int NOT NULL, edited_s int, filler text NOT NULL);
                INSERT INTO deep_times SELECT i, 1768000000 + i, CASE WHEN i % 3 = 0 THEN 1768000000 + i END, repeat('x', 150)
                  FROM generate_series(1, 100000) i ORDER BY hashint8(i);
                CREATE INDEX ON deep_times (made_s, id);
                CREATE INDEX ON deep_times (edited_s DESC NULLS LAST, id DESC);
                VACUUM ANALYZE deep_times;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"made_s desc", "made_s", "edited_s desc nulls last"})
    void aDeepPageAJumpAndAFilterCostFewBuffers(String order) {
        Feed feed = DATABASE.feed(
                "table",
                "deep_times",
                "orders.o",
                order,
                "epoch.made_s",
                "s",
                "epoch.edited_s",
                "s",
                "filters.made_s",
                "equals, range",
                "filters.edited_s",
                "equals, range");
        ListState all = new ListState(feed, feed.orders().byDefault(), List.of());
        for (Direction direction : Direction.values()) {
            assertCostsFewBuffers(all, Gap.after(Position.of(MIDDLE, "50000")), direction);
        }
        assertCostsFewBuffers(all, Gap.before(Position.of(MIDDLE)), Direction.FORWARD);
        var filtered = feed.orders().byDefault().keys().get(0).column();
        for (Operator operator : List.of(Operator.GTE, Operator.LTE)) {
            ListState range = new ListState(
                    feed, feed.orders().byDefault(), List.of(new Condition.Comparison(filtered, operator, MIDDLE)));
            assertCostsFewBuffers(range, new PageRequest(Optional.empty(), 50));
        }
        ListState one = new ListState(
                feed, feed.orders().byDefault(), List.of(new Condition.AnyOf(filtered, List.of(MIDDLE, "1768050003"))));
        assertCostsFewBuffers(one, new PageRequest(Optional.empty(), 50));
    }

    private static void assertCostsFewBuffers(ListState state, Gap gap, Direction direction) {
        assertCostsFewBuffers(state, new PageRequest(Optional.of(new Continuation(gap, direction)), 50));
    }

    private static void assertCostsFewBuffers(ListState state, PageRequest page) {
        for (String planMode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(BuffersTest.buffers(state.feed(), state, page, planMode))
                    .as(planMode)
                    .isLessThanOrEqualTo(MAX_BUFFERS);
        }
    }
}
