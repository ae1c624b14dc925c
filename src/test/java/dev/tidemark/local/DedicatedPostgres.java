package dev.tidemark.local;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.tidemark.Await;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/** A PostgreSQL server that a test can stop, kill, freeze and copy, because no other test uses it. */
public final class DedicatedPostgres implements AutoCloseable {

    private final Path data;
    private final List<String> command;

    /** 0 until the first start. */
    private volatile int port;

    /** @param settings of the server: alternating names and values */
    public DedicatedPostgres(Path directory, String... settings) throws IOException {
        this(directory, FreePort::choose, settings);
    }

    /** Starts a server on the port that another server had, once it is free. */
    public DedicatedPostgres(Path directory, int port, String... settings) throws IOException {
        this(directory, () -> port, settings);
    }

    private DedicatedPostgres(Path directory, IntSupplier ports, String... settings) throws IOException {
        data = directory.resolve("data");
        var builder = TestPostgres.builder().setRegisterShutdownHook(false);
        for (int i = 0; i < settings.length; i += 2) {
            builder.setServerConfig(settings[i], settings[i + 1]);
        }
        port = TestPostgres.start(data, ports, builder).getPort();
        command = command(postmaster());
        closeAtExit();
    }

    /**
     * A server of an installed version, instead of the embedded one. It is not started yet.
     *
     * @param binaries the directory that contains {@code initdb} and {@code postgres}
     * @param settings of the server: alternating names and values
     */
    public static DedicatedPostgres installed(Path binaries, Path directory, String... settings)
            throws IOException, InterruptedException {
        Path data = directory.resolve("data");
        int status = new ProcessBuilder(asUnprivilegedUser(List.of(
                        binaries.resolve("initdb").toString(),
                        "--pgdata=" + data,
                        "--username=postgres",
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync")))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("initdb has ended with " + status);
        }
        List<String> command =
                asUnprivilegedUser(List.of(binaries.resolve("postgres").toString(), "-D", data.toString(), "-F"));
        DedicatedPostgres server = new DedicatedPostgres(data, command);
        server.set("listen_addresses", TestPostgres.ADDRESS);
        server.set("unix_socket_directories", "");
        server.configure(settings);
        return server;
    }

    private DedicatedPostgres(Path data, List<String> command) {
        this.data = data;
        this.command = command;
        closeAtExit();
    }

    /** Ensures that the server ends with the JVM, even if the test does not close it. */
    private void closeAtExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                close();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    /** The port, which a server has from its first start on, also after a restart. */
    public int port() {
        if (port == 0) {
            throw new IllegalStateException("the server in " + data + " has not been started");
        }
        return port;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + port() + "/postgres", "postgres", "postgres");
    }

    public void run(String statements) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    /** Kills all processes at once, so that the server does not shut down cleanly. */
    public void kill() throws IOException, InterruptedException {
        signal("-KILL");
        awaitStopped();
    }

    /** Kills the process of one session. The server then ends all other sessions and recovers without a restart. */
    public void killSession() throws IOException, InterruptedException, SQLException {
        try (Connection session = connect()) {
            int pid = session.unwrap(PGConnection.class).getBackendPID();
            new ProcessBuilder("kill", "-KILL", Integer.toString(pid)).start().waitFor();
            Await.until(
                    "the session has ended",
                    () -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
        }
    }

    /** Shuts the server down as an administrator does (fast shutdown): sessions get an error and are closed. */
    public void stop() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", Long.toString(postmaster().pid()))
                .start()
                .waitFor();
        awaitStopped();
    }

    /**
     * Starts the server, and waits until it accepts connections. Starts it again if it ends: another process can have
     * its port. At the first start, the server then gets another port. Later, while it was stopped, a client that
     * tried to connect can have been given its port.
     */
    public void start() throws IOException, InterruptedException {
        boolean isFirst = port == 0;
        Process postmaster = null;
        do {
            if (postmaster == null || !postmaster.isAlive()) {
                port = isFirst ? FreePort.choose() : port;
                postmaster = launch();
            }
            Thread.sleep(20);
        } while (!TestPostgres.serves(port, data));
    }

    private Process launch() throws IOException {
        Files.deleteIfExists(data.resolve("postmaster.pid"));
        List<String> withPort = new ArrayList<>(command);
        withPort.addAll(List.of("-p", Integer.toString(port)));
        return new ProcessBuilder(withPort)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    /** Waits until the server accepts connections. Starts it if it has stopped. */
    public void ensureRunning() throws IOException, InterruptedException {
        while (!TestPostgres.serves(port, data)) {
            if (Files.notExists(data.resolve("postmaster.pid")) || !isPostmasterAlive()) {
                start();
            }
            Thread.sleep(20);
        }
    }

    /**
     * Restarts the server so that the next transaction gets the id {@code next}. Database-wide vacuuming does not work
     * afterwards.
     *
     * @param next 64 bits, including the epoch
     */
    public void restartAtTransactionId(long next) throws SQLException, IOException, InterruptedException {
        // Rows that are not frozen would seem to have been written by future transactions.
        run("vacuum (freeze)");
        stop();
        TransactionIds.setNext(data, next);
        start();
    }

    /** Copies the data as {@code pg_basebackup} does. The copy is not started. */
    public DedicatedPostgres backUp(Path directory) throws SQLException, IOException {
        Path copy = directory.resolve("data");
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('backup', true)");
            copyTo(copy, file -> !file.startsWith("pg_wal") && !file.startsWith("postmaster"));
            try (var stopped = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
                stopped.next();
                Files.writeString(copy.resolve("backup_label"), stopped.getString(1));
            }
        }
        copyTo(copy, file -> file.startsWith("pg_wal"));
        return serverOver(copy);
    }

    /** Copies the data of this server, which must be stopped. The copy is not started. */
    public DedicatedPostgres copy(Path directory) throws IOException {
        Path copy = directory.resolve("data");
        copyTo(copy, file -> true);
        return serverOver(copy);
    }

    /**
     * Turns this backup into a standby of the primary, but does not start it.
     *
     * @param settings alternating names and values, in addition to the settings of the primary
     */
    public void follow(DedicatedPostgres primary, String... settings) throws IOException {
        Files.createFile(data.resolve("standby.signal"));
        set("primary_conninfo", "host=localhost user=postgres port=" + primary.port());
        configure(settings);
    }

    private void configure(String... settings) throws IOException {
        for (int i = 0; i < settings.length; i += 2) {
            set(settings[i], settings[i + 1]);
        }
    }

    private void set(String name, String value) throws IOException {
        Files.writeString(
                data.resolve("postgresql.auto.conf"), name + " = '" + value + "'\n", StandardOpenOption.APPEND);
    }

    private void copyTo(Path copy, Predicate<Path> wanted) throws IOException {
        Files.createDirectories(copy.getParent());
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path name = data.relativize(file);
                if (wanted.test(name)) {
                    Files.copy(file, copy.resolve(name), COPY_ATTRIBUTES, REPLACE_EXISTING);
                }
            }
        }
    }

    private DedicatedPostgres serverOver(Path copy) throws IOException {
        List<String> copyCommand = command.stream()
                .map(word -> word.equals(data.toString()) ? copy.toString() : word)
                .toList();
        return new DedicatedPostgres(copy, copyCommand);
    }

    /** Suspends all processes with SIGSTOP. Connections stay open, but nothing is sent on them. */
    public void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    public void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (Files.exists(data.resolve("postmaster.pid")) && isPostmasterAlive()) {
            signal("-KILL");
        }
    }

    private ProcessHandle postmaster() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        return ProcessHandle.of(pid).orElseThrow();
    }

    private void signal(String signal) throws IOException, InterruptedException {
        List<String> kill = new ArrayList<>(List.of("kill", signal));
        Stream.concat(Stream.of(postmaster()), postmaster().descendants())
                .map(process -> Long.toString(process.pid()))
                .forEach(kill::add);
        new ProcessBuilder(kill).start().waitFor();
    }

    private static List<String> command(ProcessHandle process) {
        List<String> command = new ArrayList<>();
        command.add(process.info().command().orElseThrow());
        command.addAll(List.of(process.info().arguments().orElseThrow()));
        return asUnprivilegedUser(command);
    }

    /** PostgreSQL does not run as root, so root starts it in a user namespace. */
    private static List<String> asUnprivilegedUser(List<String> command) {
        return System.getProperty("user.name").equals("root")
                ? Stream.concat(Stream.of("unshare", "-U"), command.stream()).toList()
                : command;
    }

    private void awaitStopped() throws IOException, InterruptedException {
        while (TestPostgres.serves(port, data) || Files.exists(data.resolve("postmaster.pid")) && isPostmasterAlive()) {
            Thread.sleep(20);
        }
    }

    private boolean isPostmasterAlive() throws IOException {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        } catch (NoSuchFileException ended) {
            return false;
        }
    }
}
