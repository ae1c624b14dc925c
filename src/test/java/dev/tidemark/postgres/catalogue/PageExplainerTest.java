package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.Catalogue.PagePlan;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The plans that {@code check --explain} prints. */
@UsesTestDatabase
class PageExplainerTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS explained;
                CREATE TABLE explained (
                  id bigint PRIMARY KEY, "$1" text, edited timestamptz, status text NOT NULL, tenant uuid NOT NULL);
                CREATE INDEX explained_edited ON explained (tenant, edited DESC NULLS LAST, id DESC);
                """);
    }

    private static List<PagePlan> explain(String... more) {
        String[] properties = new String[more.length + 4];
        System.arraycopy(
                new String[] {"table", "explained", "orders.edited", "edited desc nulls last"}, 0, properties, 0, 4);
        System.arraycopy(more, 0, properties, 4, more.length);
        Feed feed = DATABASE.feed(properties);
        return DATABASE.catalogue().explainPages(feed).await().atMost(Duration.ofSeconds(60));
    }

    @Test
    void everyShapeOfPageHasAPlan() {
        List<PagePlan> plans = explain(
                "live-orders",
                "edited",
                "scope.tenant",
                "claim:tenant",
                "filters.status",
                "equals, range, text",
                "filters.$1",
                "text",
                "delta",
                "true",
                "count",
                "exact");

        assertThat(plans)
                .allSatisfy(
                        plan -> assertThat(plan.plan().get(0)).as(plan.sql()).doesNotContain("cannot be planned"));
        assertThat(plans).extracting(plan -> plan.list() + plan.page()).doesNotHaveDuplicates();
        assertThat(plans).extracting(PagePlan::sql).doesNotHaveDuplicates();
        assertThat(plans)
                .filteredOn(plan -> plan.list().equals("order edited"))
                .extracting(PagePlan::page)
                .contains(
                        "first page",
                        "first page, until a cursor",
                        "next page",
                        "next page if the item at the cursor is gone",
                        "previous page",
                        "next page after a NULL",
                        "jump from a value",
                        "jump around a value",
                        "finding an item",
                        "next page, until a cursor",
                        "first page, since a moment",
                        "next page after a NULL, until a cursor, since a moment",
                        "previous page if the item at the cursor is gone",
                        "count of the previous items, for fresh",
                        "count of the next items after a NULL, for fresh",
                        "exact count");
        assertThat(plans)
                .filteredOn(plan -> plan.page().equals("finding an item"))
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan.indexed()).isTrue());
        assertThat(plans)
                .extracting(PagePlan::list)
                .contains(
                        "order edited, filter status",
                        "order edited, filter status.gte",
                        "order edited, filter $1.prefix");
    }

    @Test
    void everyShapeOfAPinnedScrollHasAPlan() {
        Feed feed = DATABASE.feed(
                "table", "explained", "orders.edited", "edited nulls first", "live-orders", "edited", "delta", "true");
        List<PagePlan> plans = DATABASE.catalogue().explainPages(feed).await().atMost(Duration.ofSeconds(60));

        assertThat(plans)
                .allSatisfy(
                        plan -> assertThat(plan.plan().get(0)).as(plan.sql()).doesNotContain("cannot be planned"));
        assertThat(plans)
                .extracting(PagePlan::page)
                .contains(
                        "next page after a previous page",
                        "next page after a NULL if there were only NULLs",
                        "count of the next items after a previous page, for fresh");
        assertThat(plans).extracting(PagePlan::page).doesNotHaveDuplicates();
    }

    @Test
    void aPlanIsThatOfTheSessionThatReadsThePage() {
        List<PagePlan> plans = explain("scope.tenant", "claim:tenant", "filters.status", "equals");

        assertThat(plans)
                .filteredOn(plan -> plan.page().equals("next page"))
                .anySatisfy(plan -> {
                    assertThat(plan.list()).isEqualTo("order edited");
                    assertThat(plan.indexed()).isTrue();
                    assertThat(String.join("\n", plan.plan()))
                            .contains("Index Scan using explained_edited")
                            .doesNotContain("Sort");
                })
                .anySatisfy(plan -> {
                    assertThat(plan.list()).isEqualTo("order edited, filter status");
                    assertThat(plan.indexed()).isFalse();
                });
    }

    @Test
    void aFeedWithoutAKeyIsExplainedByOffset() {
        DATABASE.run("CREATE OR REPLACE VIEW explained_view AS SELECT status FROM explained");
        Feed feed = DATABASE.feed("table", "explained_view", "orders.o", "status", "universal.strategy", "offset");

        assertThat(DATABASE.catalogue().explainPages(feed).await().atMost(Duration.ofSeconds(60)))
                .extracting(PagePlan::page)
                .containsExactly("page after an offset", "page before an offset");
    }
}
