package dev.tidemark.http.connections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.PipeliningClient;
import dev.tidemark.http.RawConnection;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that request many responses and read nothing. The budget is 8 MB. */
@Timeout(180)
@Slow
class UnreadResponsesIT {

    private static final String LARGE_PAGE = "/api/things?limit=20";

    /** The kernel buffers some megabytes of a connection, and so fewer pages. */
    private static final int PAGES = 12;

    private final List<RawConnection> connections = new ArrayList<>();
    private DeployedServer server;

    /** A large page has a megabyte. */
    @BeforeEach
    void start() throws Exception {
        String database = DeployedServer.databaseWithTwentyThings();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("alter table things add body text default repeat('x', 50000)");
        }
        server = DeployedServer.servingThings(database, "-Xmx64m", "-XX:MaxDirectMemorySize=32m")
                .awaitReady();
    }

    @AfterEach
    void stop() throws Exception {
        closeConnections();
        server.close();
    }

    private void closeConnections() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }

    @Test
    void clientsThatReadNothingAreDisconnectedAndOthersAreServed() throws Exception {
        for (int i = 0; i < 60; i++) {
            sendRequests(connect());
        }
        Await.until("connections are closed", () -> metric("tidemark_unread_connections_closed_total") > 0);
        Await.until(
                "another client is served",
                () -> server.get("/api/things?limit=1").statusCode() == 200);
        assertThat(server.getManagement("/q/health/live").statusCode()).isEqualTo(200);
        closeConnections();
        Await.until("no byte is unread", () -> metric("tidemark_unread_bytes") == 0);
        assertThat(server.errors()).isEmpty();
    }

    @Test
    void noFurtherRequestIsReadFromAConnectionWhoseResponseIsUnread() throws Exception {
        RawConnection connection = connect();
        sendRequests(connection);
        Await.until("a page is unread", () -> metric("tidemark_unread_bytes") > 100_000);
        double pages = pages();
        assertThat(pages).isLessThan(PAGES);
        assertThat(server.get("/api/things?limit=2").statusCode()).isEqualTo(200);
        assertThat(pages()).isEqualTo(pages + 1);
        connection.send("GET /api/things?limit=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(connection.readAll().split("HTTP/1.1 200 OK", -1)).hasSize(1 + PAGES + 1);
        assertThat(pages()).isEqualTo(PAGES + 2);
    }

    /** While a page of 100 kB is written, the socket becomes writable before the next request begins. */
    @Test
    void aClientThatPipelinesWithoutEndAndReadsLargePagesCostsLittle() throws Exception {
        try (PipeliningClient client = new PipeliningClient(server.port(), "/api/things?limit=2")) {
            Await.until("pages are read", () -> client.pages() > 300);
            assertThat(server.get("/api/things?limit=1").statusCode()).isEqualTo(200);
        }
        assertThat(server.errors()).isEmpty();
    }

    private static void sendRequests(RawConnection connection) throws IOException {
        for (int i = 0; i < PAGES; i++) {
            connection.sendGet(LARGE_PAGE);
        }
    }

    private RawConnection connect() throws IOException {
        RawConnection connection = new RawConnection(server.port(), 4_096);
        connections.add(connection);
        return connection;
    }

    private double pages() throws Exception {
        return metric("tidemark_pages_total{direction=\"forward\",feed=\"things\",order=\"o\"}");
    }

    private double metric(String name) throws Exception {
        return Metrics.value(server.getManagement("/q/metrics").body(), name);
    }
}
