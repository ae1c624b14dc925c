package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.http.Metrics;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that request many responses over HTTP/2 and accept no content. */
@Timeout(180)
@Slow
class UnreadResponsesIT {

    private final List<HttpTwoConnection> connections = new ArrayList<>();

    @AfterEach
    void closeConnections() throws IOException {
        for (HttpTwoConnection connection : connections) {
            connection.close();
        }
    }

    /** Each unread response counts as 8 kB or more, and the budget is 8 MB. */
    @Test
    void clientsThatAcceptNothingAreDisconnectedAndOthersAreServed() throws Exception {
        try (DeployedServer server = DeployedServer.servingThings(
                        DeployedServer.databaseWithTwentyThings(), "-Xmx64m", "-XX:MaxDirectMemorySize=32m")
                .awaitReady()) {
            for (int i = 0; i < 60; i++) {
                HttpTwoConnection connection = new HttpTwoConnection(server.port());
                connections.add(connection);
                connection.send(HttpTwoConnection.SETTINGS, 0, 0, HttpTwoConnection.ZERO_WINDOW);
                for (int request = 0; request < 100; request++) {
                    connection.sendGet(1 + 2 * request, "/api/things?limit=20");
                }
            }
            Await.until("connections are closed", () -> metric(server, "tidemark_unread_connections_closed_total") > 0);
            assertThat(server.get("/api/things?limit=1").statusCode()).isEqualTo(200);
            assertThat(server.getManagement("/q/health/live").statusCode()).isEqualTo(200);
            assertThat(metric(server, "tidemark_unread_bytes")).isBetween(1.0, 16e6);
            closeConnections();
            Await.until("no byte is unread", () -> metric(server, "tidemark_unread_bytes") == 0);
            assertThat(server.errors()).isEmpty();
        }
    }

    /** The budget of a connection is 2 MB. */
    @Test
    void requestsOfASlowClientWaitUntilItHasReadEarlierResponses() throws Exception {
        String database = DeployedServer.databaseWithTwentyThings();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("alter table things add body text default repeat('x', 20000)");
        }
        try (DeployedServer server = DeployedServer.servingThings(database, "-Xmx64m", "-XX:MaxDirectMemorySize=32m")
                .awaitReady()) {
            HttpTwoConnection connection = new HttpTwoConnection(server.port());
            connections.add(connection);
            connection.send(HttpTwoConnection.SETTINGS, 0, 0, HttpTwoConnection.ZERO_WINDOW);
            for (int i = 0; i < 8; i++) {
                connection.sendGet(1 + 2 * i, "/api/things?limit=20");
            }
            Await.until("the budget is used", () -> metric(server, "tidemark_unread_bytes") > 8 * 400_000);
            connection.sendGet(17, "/api/things?limit=1");
            connection.send(HttpTwoConnection.WINDOW_UPDATE, 0, 0, HttpTwoConnection.LARGE_WINDOW);
            for (int i = 0; i < 8; i++) {
                connection.send(HttpTwoConnection.WINDOW_UPDATE, 0, 1 + 2 * i, HttpTwoConnection.LARGE_WINDOW);
            }
            assertThat(connection.awaitFrameOf(17).type()).isEqualTo(HttpTwoConnection.HEADERS);
        }
    }

    private static double metric(DeployedServer server, String name) throws Exception {
        return Metrics.value(server.getManagement("/q/metrics").body(), name);
    }
}
