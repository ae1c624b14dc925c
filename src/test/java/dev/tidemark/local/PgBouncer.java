package dev.tidemark.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of PgBouncer, as Debian packages it, in front of a database. */
public final class PgBouncer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

    private final Path directory;
    private final Path log;
    private final URI database;
    private final String role;
    private final int port;
    private Process process;

    private PgBouncer(URI database, String role, int port) throws IOException {
        this.directory = Files.createTempDirectory("pgbouncer");
        // PgBouncer does not run as root, and then reads its files as another user.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.log = directory.resolve("log");
        this.database = database;
        this.role = role;
        this.port = port;
    }

    /**
     * Starts PgBouncer on a free port, or skips the test if it is not installed.
     *
     * @param database the URL of the database, without a user
     * @param role who may connect, without a password
     * @param settings lines of the configuration, such as {@code pool_mode = session}
     */
    public static PgBouncer start(String database, String role, String... settings) throws IOException {
        assumeTrue(
                Files.isExecutable(PROGRAM) || System.getenv("TIDEMARK_TEST_GUIDES") != null,
                "pgbouncer is not installed");
        while (true) {
            PgBouncer pooler = new PgBouncer(URI.create(database), role, FreePort.choose());
            pooler.configure(settings);
            if (pooler.start()) {
                return pooler;
            }
        }
    }

    private void configure(String... settings) throws IOException {
        Files.writeString(directory.resolve("users.txt"), "\"" + role + "\" \"\"\n");
        Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s/users.txt
                admin_users = %s
                %s
                """.formatted(
                        database.getPort(), port, directory, role, String.join("\n", settings)));
    }

    private boolean start() throws IOException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(directory.resolve("pgbouncer.ini").toString());
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Await.until("PgBouncer listens or has ended", () -> accepts() || !process.isAlive());
        if (process.isAlive()) {
            return true;
        }
        String output = Files.readString(log);
        if (!output.contains("Address already in use")) {
            throw new IOException("PgBouncer has not started: " + output);
        }
        return false;
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return process.isAlive() && socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The URL of the database through PgBouncer. */
    public String url() {
        return "postgresql://127.0.0.1:" + port + database.getPath();
    }

    /** Changes the settings of the running PgBouncer. */
    public void reload(String... settings) throws IOException {
        configure(settings);
        new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                .start()
                .onExit()
                .join();
    }

    @Override
    public void close() throws IOException {
        try {
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
