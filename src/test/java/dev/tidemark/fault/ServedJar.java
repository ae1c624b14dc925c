package dev.tidemark.fault;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What is deployed, as a process of its own. */
final class ServedJar implements AutoCloseable {

    static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");

    private final int port;
    private final int managementPort;
    private final Process process;
    private final Path log;

    /** @param environment beside the port; settings that the test's own environment has are left out */
    ServedJar(Path directory, Map<String, String> environment, String... jvm) throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0);
                ServerSocket another = new ServerSocket(0)) {
            port = free.getLocalPort();
            managementPort = another.getLocalPort();
        }
        log = Files.createTempFile(directory, "server", ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(jvm));
        command.addAll(List.of("-jar", JAR.toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("QUARKUS_") || name.startsWith("TIDEMARK_"));
        builder.environment().putAll(environment);
        builder.environment().put("QUARKUS_HTTP_PORT", Integer.toString(port));
        builder.environment().put("QUARKUS_MANAGEMENT_PORT", Integer.toString(managementPort));
        process = builder.start();
        // Also where the test ends before it could end it.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitReady();
    }

    int port() {
        return port;
    }

    /** @param headers as name, value, name, value */
    HttpResponse<String> get(String target, String... headers) throws IOException, InterruptedException {
        return get(port, target, headers);
    }

    /** What those ask who run it: where it has a port of its own for them, there. */
    HttpResponse<String> manage(String target) throws IOException, InterruptedException {
        try {
            return get(managementPort, target);
        } catch (ConnectException noneOfItsOwn) {
            return get(port, target);
        }
    }

    private static HttpResponse<String> get(int port, String target, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + target))
                .timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    boolean isReady() throws InterruptedException {
        try {
            return manage("/q/health/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** @return how long it took */
    Duration awaitReady() throws InterruptedException {
        long start = System.nanoTime();
        while (!isReady()) {
            if (!process.isAlive()) {
                throw new AssertionError("the server has ended with " + process.exitValue() + ": " + log());
            }
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(180)) {
                throw new AssertionError("the server is not ready: " + log());
            }
            Thread.sleep(20);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Asks it to stop, as a container's runtime does. */
    Duration stop() throws InterruptedException {
        long start = System.nanoTime();
        process.destroy();
        process.waitFor(120, TimeUnit.SECONDS);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** In MB, of Linux. */
    long residentMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    long fileDescriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return open.count();
        }
    }

    long pid() {
        return process.pid();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
