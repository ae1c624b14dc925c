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
    void eachOrderHasAPlanWithoutAFilterAndOneWithEachFilter() {
        List<PagePlan> plans = explain(
                "live-orders",
                "edited",
                "scope.tenant",
                "claim:tenant",
                "filters.status",
                "equals, range",
                "filters.$1",
                "text",
                "delta",
                "true");

        assertThat(plans)
                .allSatisfy(
                        plan -> assertThat(plan.plan().get(0)).as(plan.sql()).doesNotContain("cannot be planned"))
                .extracting(PagePlan::page)
                .containsOnly("next page");
        assertThat(plans)
                .extracting(PagePlan::list)
                .containsExactlyInAnyOrder(
                        "order edited",
                        "order edited, filter status",
                        "order edited, filter status.gte",
                        "order edited, filter status.gt",
                        "order edited, filter status.lte",
                        "order edited, filter status.lt",
                        "order edited, filter status.is",
                        "order edited, filter $1.prefix",
                        "order edited, filter $1.contains",
                        "order edited, filter $1.is");
    }

    @Test
    void aPlanIsThatOfTheSessionThatReadsThePage() {
        List<PagePlan> plans = explain("scope.tenant", "claim:tenant", "filters.status", "equals");

        assertThat(plans)
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
                .containsOnly("page after an offset");
    }
}
