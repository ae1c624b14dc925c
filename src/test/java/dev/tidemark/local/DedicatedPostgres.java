package dev.tidemark.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL for one test, which can stop, kill and freeze its processes. */
public final class DedicatedPostgres implements AutoCloseable {

    private final Path data;
    private final int port;
    private final List<String> command;

    /** @param settings of the server, as name, value, name, value */
    public DedicatedPostgres(Path directory, String... settings) throws IOException {
        data = directory.resolve("data");
        var builder = LocalPostgres.builder()
                .setDataDirectory(data)
                .setRegisterShutdownHook(false)
                .setOutputRedirector(Redirect.DISCARD)
                .setErrorRedirector(Redirect.DISCARD);
        for (int i = 0; i < settings.length; i += 2) {
            builder.setServerConfig(settings[i], settings[i + 1]);
        }
        port = builder.start().getPort();
        command = command(postmaster());
        closeAtExit();
    }

    /** Even if the test ends before it closes the server. */
    private void closeAtExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                close();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    public int port() {
        return port;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://localhost:" + port + "/postgres", "postgres", "postgres");
    }

    public void run(String statements) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    /** Kills all processes, as a power failure does. */
    public void kill() throws IOException, InterruptedException {
        signal("-KILL");
        awaitGone();
    }

    /** Shuts the server down, as an administrator does: sessions are told and closed. */
    public void stop() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", Long.toString(postmaster().pid()))
                .start()
                .waitFor();
        awaitGone();
    }

    /** Starts the server again. Returns when it accepts connections. */
    public void start() throws IOException, InterruptedException {
        Files.deleteIfExists(data.resolve("postmaster.pid"));
        new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        while (true) {
            try (Connection connection = connect()) {
                return;
            } catch (SQLException notYet) {
                Thread.sleep(20);
            }
        }
    }

    /** Waits until the server accepts connections. Starts it if it has given up. */
    public void awaitRunning() throws IOException, InterruptedException {
        while (true) {
            try (Connection connection = connect()) {
                return;
            } catch (SQLException away) {
                if (Files.notExists(data.resolve("postmaster.pid")) || !postmasterLives()) {
                    start();
                }
                Thread.sleep(20);
            }
        }
    }

    /**
     * Shuts the server down and starts it again with another next transaction id.
     *
     * @param next 64 bits, with the epoch; vacuuming of a whole database does not work afterwards
     */
    public void restartAtTransactionId(long next) throws SQLException, IOException, InterruptedException {
        // Rows that are not frozen would come from the future.
        run("vacuum (freeze)");
        stop();
        TransactionIds.setNext(data, next);
        start();
    }

    /** Stops all processes. Connections stay open but nothing is sent on them. */
    public void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    public void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (Files.exists(data.resolve("postmaster.pid")) && postmasterLives()) {
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

    /** PostgreSQL does not run as root, so root runs it in a user namespace. */
    private static List<String> command(ProcessHandle process) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(process.info().command().orElseThrow());
        command.addAll(List.of(process.info().arguments().orElseThrow()));
        return command;
    }

    private void awaitGone() throws IOException, InterruptedException {
        while (true) {
            try (Connection connection = connect()) {
                Thread.sleep(20);
            } catch (SQLException gone) {
                if (Files.notExists(data.resolve("postmaster.pid")) || !postmasterLives()) {
                    return;
                }
                Thread.sleep(20);
            }
        }
    }

    private boolean postmasterLives() throws IOException {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        } catch (NoSuchFileException ended) {
            return false;
        }
    }
}
