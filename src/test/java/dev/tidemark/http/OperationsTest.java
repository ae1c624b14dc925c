package dev.tidemark.http;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** What those who run the server see of it. */
@QuarkusTest
@QuarkusTestResource(FeedServer.class)
class OperationsTest {

    @Test
    void pages_are_counted_by_feed_order_and_direction() {
        String series = "tidemark_pages_total{direction=\"backward\",feed=\"letters\",order=\"oldest\"}";
        double before = metric(series);
        String top = FeedResourceTest.page("/api/letters?order=oldest").getString("cursors.top");
        get("/api/letters?order=oldest&cursor=" + top);
        assertThat(metric(series)).isEqualTo(before + 1);
    }

    @Test
    void problems_are_counted_by_code() {
        String series = "tidemark_problems_total{code=\"unknown_order\"}";
        double before = metric(series);
        get("/api/letters?order=sideways");
        assertThat(metric(series)).isEqualTo(before + 1);
    }

    @Test
    void readiness_tells_that_the_feeds_are_resolved_and_the_database_answers() {
        var ready = get("/q/health/ready").jsonPath();
        assertThat(ready.getString("status")).isEqualTo("UP");
        assertThat(ready.getList("checks.name", String.class)).contains("feeds", "database");
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
