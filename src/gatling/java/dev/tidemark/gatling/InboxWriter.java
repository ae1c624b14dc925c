package dev.tidemark.gatling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes to the inbox database at a constant rate: 50 % new messages, 30 % edits, and 20 % deletions. It uses one
 * connection, so that messages are committed in the order of their timestamps.
 */
final class InboxWriter {

    /** The file with the port of the embedded server that the sample inbox starts. */
    private static final Path EMBEDDED_SERVER =
            Path.of(System.getProperty("postgresDirectory", ".tidemark"), "postgresql-17", "postmaster.pid");

    private static final String INSERT = "insert into public.messages (created_at, subject, body)"
            + " values (clock_timestamp(), 'Written under load', 'Hello,\n\nhow are you?\n\nCheers')";

    /** Selects a random message by its key, so that the search for it is cheap. */
    private static final String WHERE_RANDOM_MESSAGE = " where deleted_at is null and id ="
            + " (select id from public.messages where id >= (select (random() * max(id))::bigint from public.messages)"
            + " order by id limit 1)";

    private static final String EDIT = "update public.messages set assignee = 'hana'" + WHERE_RANDOM_MESSAGE;
    private static final String DELETE =
            "update public.messages set deleted_at = clock_timestamp()" + WHERE_RANDOM_MESSAGE;

    private static final String[] CHANGES = {
        INSERT, EDIT, INSERT, DELETE, INSERT, EDIT, INSERT, DELETE, INSERT, EDIT,
    };

    private final int perSecond;
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private ScheduledExecutorService scheduler;
    private Connection connection;

    InboxWriter(int perSecond) {
        this.perSecond = perSecond;
    }

    void start() {
        try {
            connection = DriverManager.getConnection(
                    url(), System.getProperty("jdbcUser", "postgres"), System.getProperty("jdbcPassword", "postgres"));
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Cannot connect to the inbox database: set -DjdbcUrl, -DjdbcUser, and -DjdbcPassword.", e);
        }
        scheduler = Executors.newSingleThreadScheduledExecutor();
        scheduler.scheduleAtFixedRate(this::writeChange, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
    }

    /** Stops writing, and returns a summary of what was written. */
    String stop() {
        scheduler.shutdownNow();
        try {
            scheduler.awaitTermination(10, TimeUnit.SECONDS);
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            failures.incrementAndGet();
        }
        return written + " changes written, " + failures + " failed.";
    }

    private void writeChange() {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(CHANGES[(int) (written.get() % CHANGES.length)]);
            written.incrementAndGet();
        } catch (SQLException e) {
            failures.incrementAndGet();
        }
    }

    private static String url() {
        String url = System.getProperty("jdbcUrl");
        if (url != null) {
            return url;
        }
        try {
            return "jdbc:postgresql://localhost:"
                    + Files.readAllLines(EMBEDDED_SERVER).get(3) + "/postgres";
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot read " + EMBEDDED_SERVER + ": start the sample inbox, or set -DjdbcUrl.", e);
        }
    }
}
