package dev.tidemark.http.health;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.page.FeedResourceTest;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** What those who run the server see of it. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class OperationsTest {

    @Test
    void pagesAreCountedByFeedOrderAndDirection() {
        String series = "tidemark_pages_total{direction=\"backward\",feed=\"letters\",order=\"oldest\"}";
        double before = metric(series);
        String top = FeedResourceTest.page("/api/letters?order=oldest").getString("cursors.top");
        get("/api/letters?order=oldest&cursor=" + top);
        assertThat(metric(series)).isEqualTo(before + 1);
    }

    @Test
    void pageSizesAreRecordedByFeed() {
        String series = "tidemark_page_bytes_sum{feed=\"letters\"}";
        double before = metric(series);
        int size = get("/api/letters?limit=7").asByteArray().length;
        assertThat(metric(series)).isEqualTo(before + size);
        assertThat(get("/q/metrics").asString()).contains("tidemark_page_bytes_bucket{feed=\"letters\",le=\"4096.0\"}");
    }

    @Test
    void statementTimesAreRecordedByKindOfConnection() {
        get("/api/letters?limit=7");
        assertThat(get("/q/metrics").asString())
                .contains(
                        "tidemark_statements_seconds_bucket{connections=\"pinned\",le=\"0.001\"}",
                        "tidemark_statements_in_flight{connections=\"free\"}",
                        "tidemark_statements_refused_total{connections=\"indexed\"}",
                        "tidemark_pinned_open ");
    }

    @Test
    void aPageAfterAnExistingItemTakesOneStatement() {
        String last = FeedResourceTest.page("/api/letters?limit=7").getString("cursors.last");
        double before = statements();
        assertThat(FeedResourceTest.page("/api/letters?limit=7&cursor=" + last).getBoolean("has_prev"))
                .isTrue();
        assertThat(statements()).isEqualTo(before + 1);
    }

    /** An event loop that reads its first page has no connection of its own yet. */
    private static double statements() {
        return metric("tidemark_statements_seconds_count{connections=\"pinned\"}")
                + metric("tidemark_statements_seconds_count{connections=\"indexed\"}");
    }

    @Test
    void problemsAreCountedByCode() {
        String series = "tidemark_problems_total{code=\"unknown_order\"}";
        double before = metric(series);
        get("/api/letters?order=sideways");
        assertThat(metric(series)).isEqualTo(before + 1);
    }

    @Test
    void readinessReportsTheFeedsAndTheDatabase() {
        var ready = get("/q/health/ready").jsonPath();
        assertThat(ready.getString("status")).isEqualTo("UP");
        assertThat(ready.getList("checks.name", String.class)).contains("feeds", "database", "started");
        assertThat(ready.getInt("checks.find { it.name == 'feeds' }.data.count"))
                .isEqualTo(get("/api").jsonPath().getList("feeds").size());
    }

    private static double metric(String series) {
        return get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
