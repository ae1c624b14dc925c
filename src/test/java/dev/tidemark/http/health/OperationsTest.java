package dev.tidemark.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.Metrics;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Metrics and health checks for operators. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class OperationsTest {

    @Test
    void pagesAreCountedByFeedOrderAndDirection() {
        String series = "tidemark_pages_total{direction=\"backward\",feed=\"letters\",order=\"oldest\"}";
        double before = Metrics.value(series);
        String top = TestClient.page("/api/letters?order=oldest").getString("cursors.top");
        TestClient.get("/api/letters?order=oldest&cursor=" + top);
        assertThat(Metrics.value(series)).isEqualTo(before + 1);
    }

    @Test
    void pageSizesAreRecordedByFeed() {
        String series = "tidemark_page_bytes_sum{feed=\"letters\"}";
        double before = Metrics.value(series);
        int size = TestClient.get("/api/letters?limit=7").body().length;
        assertThat(Metrics.value(series)).isEqualTo(before + size);
        assertThat(Metrics.all()).contains("tidemark_page_bytes_bucket{feed=\"letters\",le=\"4096.0\"}");
    }

    @Test
    void statementTimesAreRecordedByKindOfConnection() {
        TestClient.get("/api/letters?limit=7");
        assertThat(Metrics.all())
                .contains(
                        "tidemark_statements_seconds_bucket{connections=\"pinned\",le=\"0.001\"}",
                        "tidemark_statements_in_flight{connections=\"free\"}",
                        "tidemark_statements_rejected_total{connections=\"indexed\"}",
                        "tidemark_pinned_open ");
    }

    @Test
    void aPageAfterAnExistingItemTakesOneStatement() {
        String last = TestClient.page("/api/letters?limit=7").getString("cursors.last");
        double before = statementCount();
        assertThat(TestClient.page("/api/letters?limit=7&cursor=" + last).getBoolean("has_prev"))
                .isTrue();
        assertThat(statementCount()).isEqualTo(before + 1);
    }

    /**
     * Counts statements over pinned connections and over the pool {@code indexed}, because an event loop reads its
     * first page over the pool, before its pinned connection is open.
     */
    private static double statementCount() {
        return Metrics.value("tidemark_statements_seconds_count{connections=\"pinned\"}")
                + Metrics.value("tidemark_statements_seconds_count{connections=\"indexed\"}");
    }

    @Test
    void problemsAreCountedByCode() {
        String series = "tidemark_problems_total{code=\"unknown_order\"}";
        double before = Metrics.value(series);
        TestClient.get("/api/letters?order=sideways");
        assertThat(Metrics.value(series)).isEqualTo(before + 1);
    }

    @Test
    void readinessReportsTheFeedsAndTheDatabase() {
        var ready = TestClient.json("/q/health/ready");
        assertThat(ready.getString("status")).isEqualTo("UP");
        assertThat(ready.getList("checks.name", String.class)).contains("feeds", "database", "started");
        assertThat(ready.getInt("checks[name=feeds].data.count"))
                .isEqualTo(TestClient.json("/api").getList("feeds").size());
    }
}
