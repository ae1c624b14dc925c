package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the deployed server is stopped, it still answers the requests that it is processing. */
class ShutdownIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** The query of a view whose pages wait until the test releases the advisory lock. */
    private static final String HELD_QUERY = "select 1 as id from pg_advisory_lock(7)";

    @Test
    @Timeout(120)
    void aRunningRequestIsAnsweredDuringShutdown() throws Exception {
        String url = TestPostgres.newDatabase();
        try (Connection database = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres")) {
            execute(database, "create view held as " + HELD_QUERY);
            execute(database, "select pg_advisory_lock(7)");
            try (DeployedServer server = start(url).awaitReady()) {
                CompletableFuture<HttpResponse<String>> page =
                        HTTP.sendAsync(request(server.port()), BodyHandlers.ofString());
                awaitWaitingStatement(database);

                server.askToStop();
                awaitRejections(server.port());
                execute(database, "select pg_advisory_unlock(7)");

                assertThat(page.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
                server.awaitEnd();
            }
        }
    }

    private static DeployedServer start(String url) throws IOException {
        return new DeployedServer(Map.of(
                "QUARKUS_DATASOURCE_REACTIVE_URL", url,
                "QUARKUS_DATASOURCE_USERNAME", "postgres",
                "TIDEMARK_FEEDS_HELD_TABLE", "held",
                "TIDEMARK_FEEDS_HELD_KEY", "id",
                "TIDEMARK_FEEDS_HELD_ORDERS_O", "id"));
    }

    private static HttpRequest request(int port) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/held"))
                .build();
    }

    private static void awaitWaitingStatement(Connection database) throws SQLException {
        try (var statement = database.createStatement()) {
            boolean waits = false;
            while (!waits) {
                var rows = statement.executeQuery(
                        "select count(*) from pg_locks where locktype = 'advisory' and not granted");
                rows.next();
                waits = rows.getInt(1) > 0;
            }
        }
    }

    /** Waits until the shutdown has begun: new requests are then rejected, or their connections are refused. */
    private static void awaitRejections(int port) throws InterruptedException {
        HttpRequest other = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api"))
                .build();
        try {
            while (HTTP.send(other, BodyHandlers.discarding()).statusCode() == 200) {
                Thread.onSpinWait();
            }
        } catch (IOException gone) {
            // The port is closed.
            return;
        }
    }

    private static void execute(Connection database, String sql) throws SQLException {
        try (var statement = database.createStatement()) {
            statement.execute(sql);
        }
    }
}
