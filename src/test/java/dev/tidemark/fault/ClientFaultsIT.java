package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.Slow;
import dev.tidemark.http.PipeliningClient;
import dev.tidemark.http.RawConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that misbehave while others scroll. */
@Timeout(300)
@Slow
class ClientFaultsIT {

    @TempDir
    static Path directory;

    private static FaultSetup setup;
    private final List<RawConnection> connections = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        // The container images use the serial collector, too.
        setup = new FaultSetup(directory, Map.of("TIDEMARK_STATEMENT_TIMEOUT", "30s"), "-Xmx64m", "-XX:+UseSerialGC");
    }

    @AfterAll
    static void stop() throws Exception {
        setup.close();
    }

    @Test
    void incompleteRequestsDoNotDelayOthers() throws Exception {
        try (ScrollingClients scrolls = setup.startClients("things", 10)) {
            for (int i = 0; i < 300; i++) {
                open().send("GET /api/things?limit=1 HTTP/1.1\r\nHost: loc");
            }
            scrolls.awaitPages();
            assertUnharmed("300 incomplete requests", scrolls);
        }
    }

    /**
     * Each of 20 clients sends two thousand requests for large pages without waiting for responses, and reads one byte
     * a second.
     */
    @Test
    void clientsThatReadOneByteASecondCostLittle() throws Exception {
        long before = setup.residentMegabytes();
        try (ScrollingClients scrolls = setup.startClients("things", 10)) {
            for (int i = 0; i < 20; i++) {
                open();
            }
            for (RawConnection slow : connections) {
                Thread asking = new Thread(() -> sendRequests(slow), "asks");
                asking.setDaemon(true);
                asking.start();
            }
            for (int second = 0; second < 5; second++) {
                Thread.sleep(1_000);
                for (RawConnection slow : connections) {
                    assertThat(slow.read()).isNotNegative();
                }
            }
            scrolls.awaitPages();
            assertUnharmed("20 readers of a byte a second", scrolls);
            assertThat(setup.residentMegabytes()).isLessThan(before + 120);
        }
    }

    private static void sendRequests(RawConnection slow) {
        try {
            for (int i = 0; i < 2_000; i++) {
                slow.sendGet("/api/things?limit=100&fields=id,at,note");
            }
        } catch (IOException e) {
            // The server has closed the connection, or the test is over.
        }
    }

    @Test
    void clientsThatPipelineWithoutEndAndReadAllResponsesCostLittle() throws Exception {
        try (ScrollingClients scrolls = setup.startClients("things", 10);
                PipeliningClient one = new PipeliningClient(setup.server.port(), "/api/things?limit=1");
                PipeliningClient other = new PipeliningClient(setup.server.port(), "/api/things?limit=1")) {
            Await.until("pages are read", () -> one.pages() + other.pages() > 5_000);
            scrolls.awaitPages();
            assertUnharmed("2 clients that pipeline without end", scrolls);
        }
    }

    @Test
    @Tag("chaos")
    void fiveThousandIdleConnectionsCostLittle() throws Exception {
        long before = setup.residentMegabytes();
        try (ScrollingClients scrolls = setup.startClients("things", 10)) {
            for (int i = 0; i < 5_000; i++) {
                open().sendGet("/api/things?limit=1");
                assertThat(connections.get(i).readResponse(false).status()).isEqualTo(200);
            }
            System.out.printf(
                    "FAULT 5,000 idle connections: %d MB resident, %d MB before%n", setup.residentMegabytes(), before);
            scrolls.awaitPages();
            assertUnharmed("5,000 idle connections", scrolls);
        }
    }

    @Test
    @Tag("chaos")
    void twoThousandConcurrentRequestsNeedNoMoreThan256Megabytes() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            open();
        }
        long most = 0;
        int pages = 0;
        int rejected = 0;
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < connections.size(); i++) {
                connections
                        .get(i)
                        .sendGet("/api/things?limit=30&fields=id,at&from_id=" + (1 + (i * 7 + round) % 1_000));
            }
            for (RawConnection client : connections) {
                int status = client.readResponse(false).status();
                assertThat(status).isIn(200, 503, 504);
                if (status == 200) {
                    pages++;
                } else {
                    rejected++;
                }
            }
            most = Math.max(most, setup.residentMegabytes());
        }
        System.out.printf(
                "FAULT 2,000 connections, all asking at once, -Xmx64m: %d MB resident at most; %d pages, %d rejected%n",
                most, pages, rejected);
        assertThat(most).isLessThan(256);
    }

    private RawConnection open() throws IOException {
        RawConnection client = new RawConnection(setup.server.port(), 4_096);
        connections.add(client);
        return client;
    }

    private void assertUnharmed(String fault, ScrollingClients scrolls) throws Exception {
        String seen = scrolls.finish();
        assertThat(scrolls.failures()).isZero();
        assertThat(setup.server.errors()).isEmpty();
        for (RawConnection client : connections) {
            client.close();
        }
        System.out.printf(
                "FAULT %s: ready after %d ms; %s%n",
                fault, setup.measureTimeToReady().toMillis(), seen);
    }
}
