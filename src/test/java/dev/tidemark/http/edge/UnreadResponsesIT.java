package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.http.Metrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that request many responses over HTTP/2 and accept no content. */
@Timeout(180)
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

    private static double metric(DeployedServer server, String name) throws Exception {
        return Metrics.value(server.getManagement("/q/metrics").body(), name);
    }
}
