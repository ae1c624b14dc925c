package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** A client that asks for page after page over one connection, and takes none of them. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class SlowReaderTest {

    private static final int PAGES = 8_000;
    private static final String SERIES =
            "tidemark_pages_total{direction=\"forward\",feed=\"letters\",order=\"newest\"}";

    @Test
    void aClientThatDoesNotReadIsAnsweredOnlyAfterItReads() throws Exception {
        double before = Metrics.value(SERIES);
        try (Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress(
                    "localhost", ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class)));
            slow.setSoTimeout(30_000);
            CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(slow));
            awaitStandstill();
            assertThat(Metrics.value(SERIES) - before).isBetween(1.0, PAGES / 2.0);
            String answers = new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            asked.join();
            assertThat(answers.split("HTTP/1.1 200 OK\\r\\n", -1)).hasSize(1 + PAGES);
            assertThat(Metrics.value(SERIES) - before).isEqualTo(PAGES);
        }
    }

    private static void ask(Socket slow) {
        try {
            OutputStream out = slow.getOutputStream();
            String page = "GET /api/letters?limit=20 HTTP/1.1\r\nHost: localhost\r\n";
            for (int i = 1; i < PAGES; i++) {
                out.write((page + "\r\n").getBytes(StandardCharsets.US_ASCII));
            }
            out.write((page + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void awaitStandstill() {
        double[] last = {-1};
        long[] since = {0};
        Await.until("no more pages are made", () -> {
            double now = Metrics.value(SERIES);
            if (now != last[0]) {
                last[0] = now;
                since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] > 1_000_000_000L;
        });
    }
}
