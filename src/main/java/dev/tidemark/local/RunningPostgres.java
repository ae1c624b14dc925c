package dev.tidemark.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A running PostgreSQL server, as described by the {@code postmaster.pid} in its data directory. */
record RunningPostgres(long pid, int port) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * Returns the port of the server that uses the data directory, once the server accepts connections. Empty if there
     * is no such server.
     *
     * <p>Waits for a server that is starting or stopping. Does not delete the {@code postmaster.pid} of a server that
     * has ended: when PostgreSQL starts, it checks whether all of the old server's processes have ended. But if
     * another program has the process id now, the file is deleted, because PostgreSQL would mistake that program for a
     * server and not start.
     */
    static OptionalInt findPort(Path data) throws IOException {
        var file = data.resolve("postmaster.pid");
        var deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            var server = read(file);
            if (server.isEmpty() || !server.get().isAlive()) {
                return OptionalInt.empty();
            }
            if (!server.get().isPostgres()) {
                Files.deleteIfExists(file);
                return OptionalInt.empty();
            }
            if (server.get().serves(data)) {
                return OptionalInt.of(server.get().port());
            }
            if (System.nanoTime() > deadline) {
                throw new LocalPostgresException(
                        "A PostgreSQL server (process " + server.get().pid() + ") uses " + data
                                + " but does not respond. Stop it, or set TRY_IT_POSTGRES_DIRECTORY to another directory.",
                        null);
            }
            pause();
        }
    }

    private static Optional<RunningPostgres> read(Path file) throws IOException {
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        var lines = Files.readAllLines(file);
        return lines.size() < 4
                ? Optional.empty()
                : Optional.of(new RunningPostgres(
                        Long.parseLong(lines.get(0).strip()),
                        Integer.parseInt(lines.get(3).strip())));
    }

    private boolean isAlive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private boolean isPostgres() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .filter(command -> Path.of(command).getFileName().toString().startsWith("postgres"))
                .isPresent();
    }

    private boolean serves(Path data) {
        var source = LocalPostgres.superuserDataSource(port);
        source.setConnectTimeout(2);
        source.setSocketTimeout(2);
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("show data_directory")) {
            return row.next() && Files.isSameFile(Path.of(row.getString(1)), data);
        } catch (SQLException | IOException starting) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LocalPostgresException("Interrupted while waiting for the embedded PostgreSQL.", e);
        }
    }
}
