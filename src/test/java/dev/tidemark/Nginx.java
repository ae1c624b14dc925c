package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** A process of nginx with the configuration of the guide about what Tidemark does not do. */
final class Nginx implements AutoCloseable {

    private static final Path GUIDE = Path.of("src/site/markdown/what-it-does-not-do.md");
    private static final String PASSWORD = "changeit";

    /** nginx writes its log to a file of its directory. */
    private static final String MAIN = """
            daemon off;
            worker_processes 1;
            pid %1$s/nginx.pid;
            error_log %1$s/error.log;
            events {}
            http {
                access_log off;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                include %1$s/guide.conf;
            }
            """;

    private final Path directory;
    private final Process process;
    private final int port;

    private Nginx(Path directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    static boolean isInstalled() {
        return Files.isExecutable(Path.of("/usr/sbin/nginx"));
    }

    /**
     * Starts nginx on a free port.
     *
     * @param directory an empty directory
     * @param servers the ports of the two servers
     */
    static Nginx start(Path directory, int... servers) throws Exception {
        Keytool.run(
                directory,
                "server.p12",
                PASSWORD,
                "server",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost");
        Keytool.run(directory, "server.p12", PASSWORD, "server", "-exportcert", "-rfc", "-file", "server.pem");
        Files.writeString(
                directory.resolve("server.key"),
                Keytool.privateKey(directory.resolve("server.p12"), PASSWORD, "server"));
        Files.writeString(directory.resolve("nginx.conf"), MAIN.formatted(directory));
        while (true) {
            Nginx nginx = start(directory, FreePort.choose(), servers);
            if (nginx.listens()) {
                return nginx;
            }
        }
    }

    private static Nginx start(Path directory, int port, int... servers) throws IOException {
        Files.writeString(directory.resolve("guide.conf"), configuration(directory, port, servers));
        Process process = new ProcessBuilder(
                        "/usr/sbin/nginx", "-c", directory + "/nginx.conf", "-e", directory + "/error.log")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("nginx.out").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return new Nginx(directory, process, port);
    }

    /** The guide's configuration with the addresses and files of the test. */
    private static String configuration(Path directory, int port, int... servers) throws IOException {
        Matcher block = Pattern.compile("(?ms)^```nginx\n(.*?)^```$").matcher(Files.readString(GUIDE));
        assertThat(block.find()).isTrue();
        String configuration = block.group(1);
        for (List<String> change : List.of(
                List.of("listen 443 ssl http2;", "listen 127.0.0.1:" + port + " ssl http2;"),
                List.of("tidemark-1:8080", "127.0.0.1:" + servers[0]),
                List.of("tidemark-2:8080", "127.0.0.1:" + servers[1]),
                List.of("/etc/nginx/server.pem", directory + "/server.pem"),
                List.of("/etc/nginx/server.key", directory + "/server.key"))) {
            assertThat(configuration).containsOnlyOnce(change.get(0));
            configuration = configuration.replace(change.get(0), change.get(1));
        }
        return configuration;
    }

    /** Waits until nginx listens or has ended. False if another process had the port. */
    private boolean listens() throws Exception {
        Await.until("nginx listens or has ended", () -> accepts() || !process.isAlive());
        if (process.isAlive()) {
            return true;
        }
        assertThat(Files.readString(directory.resolve("error.log"))).contains("Address already in use");
        return false;
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return process.isAlive() && socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    int port() {
        return port;
    }

    SSLContext contextThatTrustsIt() throws Exception {
        return Keytool.contextThatTrusts(directory.resolve("server.p12"), PASSWORD, "server");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
