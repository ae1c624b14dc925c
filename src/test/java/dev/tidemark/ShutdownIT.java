package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.local.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the deployed server is stopped, it still answers the requests that it is processing. */
class ShutdownIT {

    /**
     * The query of a view whose pages wait until the test releases the advisory lock. The server can read a page that
     * waits over a second connection too: no read may keep the lock from another.
     */
    private static final String HELD = "held: {table: held, key: id, orders: {o: id}}\n";

    private static final String HELD_QUERY = "select 1 as id from pg_advisory_xact_lock_shared(7)";

    /**
     * Requests over open connections are answered during this delay only, and the server does not end before it has
     * passed. It is longer than a busy machine can keep a client from sending its request; the tests do not wait for
     * its end.
     */
    private static final Map<String, String> LONG_DELAY = Map.of("QUARKUS_SHUTDOWN_DELAY", "10m");

    /** An event stream does not end by itself, so the server ends it, and then waits for the request only. */
    @Test
    @Timeout(120)
    void aRunningRequestIsAnsweredDuringShutdown() throws Exception {
        String url = DeployedServer.databaseWithTwentyThings();
        try (Connection database = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres")) {
            execute(database, "create view held as " + HELD_QUERY);
            execute(database, "select pg_advisory_lock(7)");
            try (DeployedServer server = start(
                                    url, Map.of("TIDEMARK_FEEDS", HELD + "things: {table: things, orders: {o: id}}"))
                            .awaitReady();
                    EventClient stream = openStreamOfThings(server)) {
                CompletableFuture<HttpResponse<String>> page =
                        DeployedServer.HTTP.sendAsync(request(server.port()), BodyHandlers.ofString());
                awaitWaitingStatement(database);

                server.askToStop();
                awaitRejections(server.port());
                stream.awaitEnd(Duration.ofMinutes(1));
                assertThat(page).isNotDone();
                execute(database, "select pg_advisory_unlock(7)");

                assertThat(page.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
                server.awaitEnd();
                assertThat(server.errors())
                        .as("it has not waited for the stream until its timeout, which would be an error")
                        .isEmpty();
            }
        }
    }

    /** Each client sends requests over one connection after another, as a load balancer does. */
    @Test
    @Timeout(120)
    void aServerThatStopsUnderLoadRejectsNoRequest() throws Exception {
        try (DeployedServer server = DeployedServer.servingThings(LONG_DELAY).awaitReady();
                EventClient stream = openStreamOfThings(server)) {
            List<CompletableFuture<Client>> clients = IntStream.range(0, 10)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> Client.sendUntilRefused(server.port())))
                    .toList();
            Await.until("pages are served", () -> Client.ANSWERS.get() > 1_000);
            server.askToStop();
            for (CompletableFuture<Client> client : clients) {
                assertThat(client.get(20, TimeUnit.SECONDS).otherStatuses).isEmpty();
                assertThat(client.get().lastConnection)
                        .as("the last answer closes the connection")
                        .isEqualTo(Optional.of("close"));
            }
            stream.awaitEnd(Duration.ofMinutes(1));
            assertThat(server.errors()).isEmpty();
        }
    }

    @Test
    @Timeout(120)
    void aServerThatStopsRefusesConnectionsWhileItAnswersARequest() throws Exception {
        String url = TestPostgres.newDatabase();
        try (Connection database = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres")) {
            execute(database, "create view held as " + HELD_QUERY);
            execute(database, "select pg_advisory_lock(7)");
            try (DeployedServer server = start(url, LONG_DELAY).awaitReady();
                    RawConnection open = new RawConnection(server.port())) {
                open.sendGet("/api");
                assertThat(open.readResponse(false).header("Connection")).isEmpty();
                CompletableFuture<HttpResponse<String>> page =
                        DeployedServer.HTTP.sendAsync(request(server.port()), BodyHandlers.ofString());
                awaitWaitingStatement(database);

                server.askToStop();
                Await.until("connections are refused", () -> isRefused(server.port()));
                open.sendGet("/api");
                RawResponse last = open.readResponse(false);
                assertThat(last.status()).isEqualTo(200);
                assertThat(last.header("Connection")).contains("close");
                execute(database, "select pg_advisory_unlock(7)");
                assertThat(page.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
        }
    }

    private static boolean isRefused(int port) throws IOException {
        try (RawConnection connection = new RawConnection(port)) {
            return false;
        } catch (ConnectException refused) {
            return true;
        }
    }

    private static final class Client {

        static final AtomicInteger ANSWERS = new AtomicInteger();

        final List<Integer> otherStatuses = new ArrayList<>();
        Optional<String> lastConnection = Optional.empty();

        static Client sendUntilRefused(int port) {
            Client client = new Client();
            try {
                while (true) {
                    client.useConnection(port);
                }
            } catch (ConnectException refused) {
                return client;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends requests until a response closes the connection. */
        private void useConnection(int port) throws IOException {
            try (RawConnection connection = new RawConnection(port)) {
                RawResponse response = firstResponse(connection);
                while (true) {
                    ANSWERS.incrementAndGet();
                    lastConnection = response.header("Connection");
                    if (response.status() != 200) {
                        otherStatuses.add(response.status());
                    }
                    if (connection.isClosed()) {
                        return;
                    }
                    connection.sendGet("/api/things?limit=1");
                    response = connection.readResponse(false);
                }
            }
        }

        /** When the port is closed, the kernel resets the connections that the server has not accepted yet. */
        private static RawResponse firstResponse(RawConnection connection) throws IOException {
            try {
                connection.sendGet("/api/things?limit=1");
                return connection.readResponse(false);
            } catch (SocketException reset) {
                throw new ConnectException(reset.getMessage());
            }
        }
    }

    /** @param more further settings */
    private static DeployedServer start(String url, Map<String, String> more) throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "QUARKUS_DATASOURCE_REACTIVE_URL", url,
                "QUARKUS_DATASOURCE_USERNAME", "postgres",
                // Reads wait for the lock of the view.
                "TIDEMARK_LONGEST_WAIT", "1m",
                "TIDEMARK_STATEMENT_TIMEOUT", "1m",
                "QUARKUS_SHUTDOWN_TIMEOUT", "1m",
                "TIDEMARK_FEEDS", HELD));
        settings.putAll(more);
        return new DeployedServer(settings);
    }

    private static EventClient openStreamOfThings(DeployedServer server) throws IOException, InterruptedException {
        String top = new JsonObject(server.get("/api/things?limit=1").body())
                .getJsonObject("cursors")
                .getString("top");
        EventClient stream = EventClient.open(server.port(), "/api/things/fresh?cursor=" + top, "");
        assertThat(stream.next()).contains("\"count\":0");
        return stream;
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
            while (DeployedServer.HTTP.send(other, BodyHandlers.discarding()).statusCode() == 200) {
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
