package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients must not be able to create metric series with methods or paths of their choice. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class MetricLabelsTest {

    @Test
    void unknownMethodsShareOneSeries() {
        long before = seriesCount();
        for (int i = 0; i < 50; i++) {
            RawRequest.send("M" + i + " /api HTTP/1.1");
        }
        assertThat(seriesCount() - before).isLessThan(20);
    }

    @Test
    void rejectedUrlsShareOneSeries() {
        long before = seriesCount();
        for (int i = 0; i < 50; i++) {
            RawRequest.get("/rejected" + i + "?%zz");
        }
        assertThat(seriesCount() - before).isLessThan(20);
    }

    @Test
    void pathsAndMethodsOfClientsDoNotBecomeLabels() {
        RawRequest.get("/api/letters?limit=1");
        RawRequest.get("/nowhere");
        RawRequest.send("MEND /api/letters HTTP/1.1");
        assertThat(lines()).anyMatch(line -> line.contains("method=\"GET\"") && line.contains("uri=\"/api/{feed}\""));
        assertThat(lines()).anyMatch(line -> line.contains("method=\"OTHER\"") && line.contains("uri=\"OTHER\""));
        assertThat(lines()).noneMatch(line -> line.contains("MEND") || line.contains("nowhere"));
    }

    private static long seriesCount() {
        return lines().size();
    }

    private static List<String> lines() {
        return RawRequest.get("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds"))
                .toList();
    }
}
