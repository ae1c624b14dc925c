package dev.tidemark.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** One throw-away server for all tests of a JVM, in which a test that needs it has a database to itself. */
public final class TestPostgres {

    /** A system property, because Quarkus' tests run in class loaders of their own. */
    private static final String PORT = "try-it.test.postgres.port";

    private TestPostgres() {}

    public static synchronized int port() {
        if (System.getProperty(PORT) == null) {
            try {
                System.setProperty(
                        PORT, Integer.toString(LocalPostgres.builder().start().getPort()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Integer.getInteger(PORT);
    }

    /** The URL, for the reactive client, of a new and empty database; the user is {@code postgres}. */
    public static String newDatabase() {
        var name = "test_" + UUID.randomUUID().toString().replace('-', '_');
        execute(port(), "create database " + name);
        return "postgresql://localhost:" + port() + "/" + name;
    }

    static void execute(int port, String sql) {
        try (var connection = server(port).getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static PGSimpleDataSource server(int port) {
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"localhost"});
        source.setPortNumbers(new int[] {port});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        return source;
    }
}
