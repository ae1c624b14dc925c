package dev.tidemark.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * After ten executions with a common value, PostgreSQL can use a generic plan, which must not slow down a rare value.
 * The rows are stored in the order of the list, so the index without the filter's column looks cheap to the planner.
 */
@UsesTestDatabase
class RareValueTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS skewed;
                CREATE TABLE skewed (id bigint PRIMARY KEY, at timestamptz NOT NULL, status text NOT NULL, filler text,
                  kind int NOT NULL);
                INSERT INTO skewed SELECT i, '2026-01-01'::timestamptz + i * interval '1 second',
                  CASE WHEN i IN (7, 70000, 140000) THEN 'rare' ELSE (ARRAY['open', 'closed', 'pending'])[1 + i % 3] END,
                  repeat('x', 150), i % 2 FROM generate_series(1, 200000) i;
                CREATE INDEX ON skewed (at, id);
                CREATE INDEX ON skewed (status, at, id);
                CREATE INDEX ON skewed (status, kind, at, id);
                VACUUM ANALYZE skewed;
                """);
    }

    @Test
    void aRareValueAfterTenCommonOnesCostsFewBuffers() {
        Feed feed = DATABASE.feed("table", "skewed", "orders.o", "at desc", "filters.status", "equals");
        PageRequest page = new PageRequest(Optional.empty(), 50);
        ListState common = state(feed, "open");
        PageShape shape = PageShape.of(common, page);
        var statement = new OrderStatements(feed, common.order()).page(shape);

        List<String> plan = DATABASE.explainAfterTen(statement, "('open')", "('rare')");

        assertThat(plan).as("a generic plan").anyMatch(line -> line.contains("= $1"));
        assertThat(TestDatabase.buffers(plan)).isLessThanOrEqualTo(20);
    }

    @Test
    void aSmallTenantAfterTenLargeOnesCostsFewBuffers() {
        Feed feed = DATABASE.feed(
                "table", "skewed", "orders.o", "at desc", "filters.kind", "equals", "scope.status", "claim:status");
        Condition scope = new Condition.InScope(feed.access().scope().get(0).column(), "open");
        Condition odd = new Condition.AnyOf(feed.filters().get("kind").column(), List.of("1"));
        for (List<Condition> conditions : List.of(List.of(scope), List.of(scope, odd))) {
            ListState common = new ListState(feed, feed.orders().byDefault(), conditions);
            PageShape shape = PageShape.of(common, new PageRequest(Optional.empty(), 50));
            var statement = new OrderStatements(feed, common.order()).page(shape);
            boolean filtered = conditions.size() > 1;

            List<String> plan =
                    DATABASE.explainAfterTen(statement, parameters("open", filtered), parameters("rare", filtered));

            assertThat(statement.hasServingIndex()).isTrue();
            assertThat(TestDatabase.buffers(plan)).as("%s", conditions).isLessThanOrEqualTo(20);
        }
    }

    /** The parameters of the statement: that of the filter, if there is one, and then that of the scope. */
    private static String parameters(String status, boolean filtered) {
        return filtered ? "('1', '" + status + "')" : "('" + status + "')";
    }

    private static ListState state(Feed feed, String status) {
        Condition condition = new Condition.AnyOf(feed.filters().get("status").column(), List.of(status));
        return new ListState(feed, feed.orders().byDefault(), List.of(condition));
    }
}
