package dev.tidemark;

import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A process of the deployed server. It binds free ports, and reports them in its log. */
public final class DeployedServer implements AutoCloseable {

    public static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What the server logs once all of its ports are open: those for HTTP, perhaps HTTPS, and management. */
    private static final Pattern ADDRESSES = Pattern.compile("Listening on: http://\\S+:(\\d+)(?: and https://\\S+)?"
            + "\\. Management interface listening on https?://\\S+:(\\d+)\\.");

    private final Path log = Files.createTempFile("tidemark", ".log");
    private final Process process;
    private volatile Optional<MatchResult> addresses = Optional.empty();

    /**
     * @param settings environment variables; they can contain the port that a former process had
     * @param options as {@link DeployedPackage#process} takes them
     */
    public DeployedServer(Map<String, String> settings, String... options) throws IOException {
        this(DeployedPackage.quickProcess(options), settings);
    }

    /** Starts a server without a {@link ClassDataArchive}. */
    static DeployedServer withoutClassDataArchive(Map<String, String> settings) throws IOException {
        return new DeployedServer(DeployedPackage.process(), settings);
    }

    DeployedServer(ProcessBuilder builder, Map<String, String> settings) throws IOException {
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(settings);
        process = builder.start();
        // Stops the process even if the test ends before it closes the server.
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** @param config properties, such as {@code tidemark.feeds.things.table} */
    public static DeployedServer withConfigFile(Map<String, String> config) throws IOException {
        Path file = Files.createTempFile("tidemark", ".properties");
        file.toFile().deleteOnExit();
        Properties properties = new Properties();
        properties.putAll(FeedsText.collect(config));
        try (var out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        return new DeployedServer(Map.of("QUARKUS_CONFIG_LOCATIONS", file.toString()));
    }

    /** Starts a server over a database with one table of twenty things. */
    static DeployedServer servingThings(String database, Map<String, String> settings) throws IOException {
        return servingThings(DeployedPackage.quickProcess(), database, settings);
    }

    /** @param options as {@link DeployedPackage#process} takes them */
    public static DeployedServer servingThings(String database, String... options) throws IOException {
        return servingThings(DeployedPackage.quickProcess(options), database, Map.of());
    }

    static DeployedServer servingThings(ProcessBuilder process, String database, Map<String, String> settings)
            throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("QUARKUS_DATASOURCE_REACTIVE_URL", database);
        all.put("QUARKUS_DATASOURCE_USERNAME", "postgres");
        all.putIfAbsent("TIDEMARK_FEEDS", "{things: {table: things, orders: {o: id}}}");
        return new DeployedServer(process, all);
    }

    /** Starts a server over a new database with one table of twenty things. */
    static DeployedServer servingThings(Map<String, String> settings) throws IOException, SQLException {
        return servingThings(databaseWithTwentyThings(), settings);
    }

    public static String databaseWithTwentyThings() throws SQLException {
        String database = TestPostgres.newDatabase();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("create table things (id bigint primary key)");
            connection.createStatement().execute("insert into things select generate_series(1, 20)");
        }
        return database;
    }

    /** Waits until the ports are open, as the other methods that return a port do. */
    public int port() {
        return awaitPort(1);
    }

    public int managementPort() {
        return awaitPort(2);
    }

    private int awaitPort(int kind) {
        awaitStart("does not listen", this::isListening);
        return Integer.parseInt(addresses.orElseThrow().group(kind));
    }

    /**
     * Waits until the server listens or has ended. True if it has ended because another process had a port that the
     * settings contain.
     */
    public boolean findsItsPortTaken() throws IOException {
        Await.until("the server listens or has ended", () -> isListening() || !process.isAlive());
        return log().stream().anyMatch(line -> line.contains("seems to be in use by another process"));
    }

    private boolean isListening() throws IOException {
        if (addresses.isEmpty()) {
            addresses = log().stream()
                    .flatMap(line -> ADDRESSES.matcher(line).results())
                    .findFirst();
        }
        return addresses.isPresent();
    }

    public long pid() {
        return process.pid();
    }

    /** The lines that the server has written so far. */
    public List<String> log() throws IOException {
        return Files.readAllLines(log);
    }

    /** The log lines with level ERROR, each of which reports a bug. Finds them only in JSON logs. */
    public List<String> errors() throws IOException {
        return log().stream()
                .filter(line -> line.contains("\"level\":\"ERROR\""))
                .toList();
    }

    /** Requests readiness, as a load balancer does. */
    public boolean isReady() throws InterruptedException {
        try {
            return isListening() && getManagement("/q/health/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    public DeployedServer awaitReady() {
        awaitStart("is not ready", this::isReady);
        return this;
    }

    private void awaitStart(String failure, Await.Condition started) {
        long start = System.nanoTime();
        try {
            while (!started.holds()) {
                if (!process.isAlive()) {
                    throw new AssertionError("the server has ended with " + process.exitValue() + ": " + log());
                }
                if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(180)) {
                    throw new AssertionError("the server " + failure + ": " + log());
                }
                Thread.sleep(20);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("the server " + failure, e);
        }
    }

    /** @param headers alternating names and values */
    public HttpResponse<String> get(String target, String... headers) throws IOException, InterruptedException {
        return get(port(), target, headers);
    }

    /** Sends a request to the management port. */
    public HttpResponse<String> getManagement(String target) throws IOException, InterruptedException {
        return get(managementPort(), target);
    }

    /** @return null if there is no such header */
    public static String header(HttpResponse<?> response, String name) {
        List<String> values = response.headers().allValues(name);
        return switch (values.size()) {
            case 0 -> null;
            case 1 -> values.get(0);
            default -> throw new AssertionError(name + " occurs more than once: " + values);
        };
    }

    public HttpResponse<String> send(String method, String target, String... headers)
            throws IOException, InterruptedException {
        return send(port(), method, target, headers);
    }

    private static HttpResponse<String> get(int port, String target, String... headers)
            throws IOException, InterruptedException {
        return send(port, "GET", target, headers);
    }

    private static HttpResponse<String> send(int port, String method, String target, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + target))
                .method(method, BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends the signal (SIGTERM) with which a container runtime stops a server. */
    public void askToStop() {
        process.destroy();
    }

    /** @return the exit status */
    public int awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            throw new AssertionError("the server does not end: " + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        log.toFile().delete();
    }
}
