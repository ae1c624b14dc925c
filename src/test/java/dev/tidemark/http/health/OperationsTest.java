package dev.tidemark.http.health;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
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
        String top = Pages.read("/api/letters?order=oldest").getString("cursors.top");
        get("/api/letters?order=oldest&cursor=" + top);
        assertThat(Metrics.value(series)).isEqualTo(before + 1);
    }

    @Test
    void pageSizesAreRecordedByFeed() {
        String series = "tidemark_page_bytes_sum{feed=\"letters\"}";
        double before = Metrics.value(series);
        int size = get("/api/letters?limit=7").asByteArray().length;
        assertThat(Metrics.value(series)).isEqualTo(before + size);
        assertThat(Metrics.all()).contains("tidemark_page_bytes_bucket{feed=\"letters\",le=\"4096.0\"}");
    }

    @Test
    void statementTimesAreRecordedByKindOfConnection() {
        get("/api/letters?limit=7");
        assertThat(Metrics.all())
                .contains(
                        "tidemark_statements_seconds_bucket{connections=\"pinned\",le=\"0.001\"}",
                        "tidemark_statements_in_flight{connections=\"free\"}",
                        "tidemark_statements_rejected_total{connections=\"indexed\"}",
                        "tidemark_pinned_open ");
    }

    @Test
    void aPageAfterAnExistingItemTakesOneStatement() {
        String last = Pages.read("/api/letters?limit=7").getString("cursors.last");
        double before = statementCount();
        when().get("/api/letters?limit=7&cursor=" + last).then().statusCode(200).body("has_prev", is(true));
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
        get("/api/letters?order=sideways");
        assertThat(Metrics.value(series)).isEqualTo(before + 1);
    }

    @Test
    void readinessReportsTheFeedsAndTheDatabase() {
        var ready = JsonDocument.of(get("/q/health/ready"));
        assertThat(ready.getString("status")).isEqualTo("UP");
        assertThat(ready.getList("checks.name", String.class)).contains("feeds", "database", "started");
        assertThat(ready.getInt("checks[name=feeds].data.count"))
                .isEqualTo(JsonDocument.of(get("/api")).getList("feeds").size());
    }
}
