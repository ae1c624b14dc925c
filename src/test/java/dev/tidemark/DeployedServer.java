package dev.tidemark;

import dev.tidemark.local.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A process of what is deployed, over a database of its own with one table of twenty things. */
final class DeployedServer implements AutoCloseable {

    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port = freePort();
    private final int managementPort = freePort();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Process process;

    /** @param settings environment variables beside those of database and feed */
    DeployedServer(Map<String, String> settings) throws IOException, SQLException {
        String database = TestPostgres.newDatabase();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("create table things (id bigint primary key)");
            connection.createStatement().execute("insert into things select generate_series(1, 20)");
        }
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", JAR.toString())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("QUARKUS_") || name.startsWith("TIDEMARK_"));
        builder.environment().put("QUARKUS_DATASOURCE_REACTIVE_URL", database);
        builder.environment().put("QUARKUS_DATASOURCE_USERNAME", "postgres");
        builder.environment().put("QUARKUS_HTTP_PORT", Integer.toString(port));
        builder.environment().put("QUARKUS_MANAGEMENT_PORT", Integer.toString(managementPort));
        builder.environment().put("TIDEMARK_FEEDS_THINGS_TABLE", "things");
        builder.environment().put("TIDEMARK_FEEDS_THINGS_ORDERS_O", "id");
        builder.environment().putAll(settings);
        process = builder.start();
        Thread reader = new Thread(this::readLog);
        reader.setDaemon(true);
        reader.start();
    }

    int port() {
        return port;
    }

    int managementPort() {
        return managementPort;
    }

    /** The lines it has written so far. */
    List<String> log() {
        return log;
    }

    /** Until it is ready, as a load balancer would find out. */
    DeployedServer awaitReady() throws InterruptedException {
        while (process.isAlive()) {
            try {
                if (get("http://localhost:" + managementPort + "/q/health/ready")
                                .statusCode()
                        == 200) {
                    return this;
                }
            } catch (IOException notYet) {
                Thread.onSpinWait();
            }
        }
        throw new AssertionError("the server has ended: " + log);
    }

    HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void readLog() {
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(log::add);
        } catch (IOException | UncheckedIOException ended) {
            log.add("end of the log: " + ended.getMessage());
        }
    }

    static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
