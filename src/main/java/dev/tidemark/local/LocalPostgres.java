package dev.tidemark.local;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.io.FileUtils;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs an embedded PostgreSQL server. Its data directory is kept between runs, and the server stops with this JVM.
 *
 * <p>The server listens on a free port of the loopback interface, trusts every local user, and writes its log next to
 * its data. The encoding is UTF-8, and the locale is PostgreSQL's built-in C.UTF-8 (code point order, full Unicode
 * case mapping), which is the same on every platform. Supports Linux and macOS.
 */
final class LocalPostgres {

    /**
     * The major version. It is part of the data directory's name, because other major versions cannot read the
     * directory.
     */
    static final int MAJOR_VERSION = 17;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private LocalPostgres() {}

    /**
     * Starts the server with its data below the directory, unless it is running, and returns its port.
     *
     * <p>If this JVM has already started the server, even from another class loader (dev mode creates one for every
     * change), that server is used. A server that was left behind by another process is used, too. Fails if another
     * Tidemark process is using the directory.
     */
    static synchronized int start(Path directory) {
        var home = directory.toAbsolutePath().normalize();
        var data = home.resolve("postgresql-" + MAJOR_VERSION);
        var log = home.resolve("postgresql-" + MAJOR_VERSION + ".log");
        try {
            Files.createDirectories(home);
            PostgresWatchdog.lockAndStart(home.resolve("lock"), data);
            var port = RunningPostgres.findPort(data);
            return port.isPresent() ? port.getAsInt() : startServer(data, log);
        } catch (IOException | RuntimeException e) {
            if (e instanceof LocalPostgresException expected) {
                throw expected;
            }
            throw new LocalPostgresException(
                    "The embedded PostgreSQL did not start in " + data + ". See " + log
                            + ", or set QUARKUS_DATASOURCE_REACTIVE_URL to use a server of your own.",
                    e);
        }
    }

    private static int startServer(Path data, Path log) throws IOException {
        var initializedMarker = data.resolve("tidemark-initialised");
        if (Files.exists(data) && Files.notExists(initializedMarker)) {
            FileUtils.deleteDirectory(data.toFile()); // initdb was interrupted, so there is no data to lose
        }
        var port = builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false) // PostgresWatchdog stops it, even if the JVM is killed
                .setPGStartupWait(TIMEOUT)
                .setServerConfig("fsync", "on")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("wal_level", "minimal") // so that the bulk load of sample data writes no WAL
                .setServerConfig("max_wal_senders", "0")
                .setOutputRedirector(Redirect.appendTo(log.toFile()))
                .setErrorRedirector(Redirect.appendTo(log.toFile()))
                .start()
                .getPort();
        if (Files.notExists(initializedMarker)) {
            Files.createFile(initializedMarker);
        }
        return port;
    }

    /** Returns a data source that connects to the server on this port as the superuser. */
    static PGSimpleDataSource superuserDataSource(int port) {
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"localhost"});
        source.setPortNumbers(new int[] {port});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        return source;
    }

    static EmbeddedPostgres.Builder builder() {
        return builderWithoutLocale()
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("locale", "C");
    }

    /** The settings that embedded servers have in common, including those of tests with older versions. */
    static EmbeddedPostgres.Builder builderWithoutLocale() {
        return EmbeddedPostgres.builder()
                .setServerConfig("listen_addresses", "localhost")
                .setServerConfig("unix_socket_directories", "");
    }
}
