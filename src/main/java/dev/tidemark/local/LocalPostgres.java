package dev.tidemark.local;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.io.FileUtils;

/**
 * A real PostgreSQL of our own, kept in a directory between runs and living no longer than this JVM.
 *
 * <p>It listens on loopback only, on a free port, trusts every local user and writes its log beside its data. The
 * encoding is UTF-8 and the locale PostgreSQL's built-in C.UTF-8 (code point order, full Unicode letter cases), which is
 * the same on every platform. Linux and macOS.
 */
final class LocalPostgres {

    /** Names the data directory: another major version cannot read it. */
    static final int MAJOR_VERSION = 17;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LocalPostgres() {}

    /**
     * The port of the server that keeps its data under the directory, started if need be.
     *
     * <p>Called again in the same JVM, from whichever class loader (dev mode makes a new one for every change), it gives
     * the server that runs already. One that outlived its Tidemark is taken over. The directory of a Tidemark that is
     * still running is refused.
     */
    static synchronized int start(Path directory) {
        var home = directory.toAbsolutePath().normalize();
        var data = home.resolve("postgresql-" + MAJOR_VERSION);
        var log = home.resolve("postgresql-" + MAJOR_VERSION + ".log");
        try {
            Files.createDirectories(home);
            PostgresWatchdog.acquire(home.resolve("lock"), data);
            var port = RunningServer.in(data);
            return port.isPresent() ? port.getAsInt() : startServer(data, log);
        } catch (IOException | RuntimeException e) {
            if (e instanceof LocalPostgresException alreadyClear) {
                throw alreadyClear;
            }
            throw new LocalPostgresException(
                    "The embedded PostgreSQL did not start in " + data + ": see " + log
                            + ", or use a server of your own by setting QUARKUS_DATASOURCE_REACTIVE_URL.",
                    e);
        }
    }

    private static int startServer(Path data, Path log) throws IOException {
        var whole = data.resolve("tidemark-initialised");
        if (Files.exists(data) && Files.notExists(whole)) {
            FileUtils.deleteDirectory(data.toFile()); // the power went while initdb ran: nobody's data yet
        }
        var port = builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false) // PostgresWatchdog stops it, also where no hook would run
                .setPGStartupWait(PATIENCE)
                .setServerConfig("fsync", "on")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("wal_level", "minimal") // a bulk load of sample data then writes no log
                .setServerConfig("max_wal_senders", "0")
                .setOutputRedirector(Redirect.appendTo(log.toFile()))
                .setErrorRedirector(Redirect.appendTo(log.toFile()))
                .start()
                .getPort();
        if (Files.notExists(whole)) {
            Files.createFile(whole);
        }
        return port;
    }

    /** What every embedded server of ours has in common, those of tests included. */
    static EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("locale", "C")
                .setServerConfig("listen_addresses", "localhost")
                .setServerConfig("unix_socket_directories", "");
    }
}
