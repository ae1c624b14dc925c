package dev.tidemark.http.connections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A client that requests page after page over one connection, and reads the responses only after the server has
 * stopped producing pages.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class SlowReaderTest {

    private static final int PAGES = 1_500;
    private static final String SERIES =
            "tidemark_pages_total{direction=\"forward\",feed=\"letters\",order=\"newest\"}";

    @Test
    void aClientThatDoesNotReadGetsMoreResponsesOnlyAfterItReads() throws Exception {
        double before = Metrics.value(SERIES);
        try (RawConnection slow = new RawConnection(TestServer.port(), 4_096)) {
            CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> sendRequests(slow));
            awaitStandstill(before);
            assertThat(Metrics.value(SERIES) - before).isLessThan(PAGES / 2.0);
            String answers = slow.readAll();
            asked.join();
            assertThat(answers.split("HTTP/1.1 200 OK\\r\\n", -1)).hasSize(1 + PAGES);
            assertThat(Metrics.value(SERIES) - before).isEqualTo(PAGES);
        }
    }

    private static void sendRequests(RawConnection slow) {
        try {
            String page = "GET /api/letters?limit=100 HTTP/1.1\r\nHost: localhost\r\n";
            for (int i = 1; i < PAGES; i++) {
                slow.send(page + "\r\n");
            }
            slow.send(page + "Connection: close\r\n\r\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server has answered many other requests without making another page. */
    private static void awaitStandstill(double before) {
        double[] last = {before};
        int[] unchanged = {0};
        Await.until("no more pages are made", () -> {
            double now = Metrics.value(SERIES);
            unchanged[0] = now == last[0] ? unchanged[0] + 1 : 0;
            last[0] = now;
            return now > before && unchanged[0] >= 20;
        });
    }
}
