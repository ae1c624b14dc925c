package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * Translates the driver's failures into {@link ReadFailure}. An unknown failure is a bug, and is passed on unchanged.
 */
public final class Failures {

    private static final Logger LOG = Logger.getLogger(Failures.class);

    private static final String QUERY_CANCELED = "57014";

    /** A value contains a character that the database's encoding cannot represent. */
    private static final Set<String> UNREPRESENTABLE = Set.of("22P05", "22021");

    /**
     * Temporary failures: conflicts with a standby's recovery, deadlocks, unavailable locks, and objects that are not
     * ready.
     */
    private static final Set<String> TRANSIENT = Set.of("40001", "40P01", "55P03", "55000");

    /**
     * The schema has changed since startup: the result of a plan has changed; a table, column, function, object, or
     * schema is missing, ambiguous, or of another kind; a privilege is missing; types do not match, or a value is not
     * valid for its type.
     */
    private static final Set<String> SCHEMA_CHANGED = Set.of(
            "0A000", "42P01", "42703", "42883", "42704", "3F000", "42809", "42725", "42702", "42501", "42804", "42846",
            "22P02", "22003", "22007", "22008");

    /**
     * A condition, view or function of the table's owner fails: it writes in a read-only session, raises an error,
     * divides by zero, or reaches a limit or causes an internal error of PostgreSQL.
     */
    private static final Set<String> OWNER_CODE_FAILED =
            Set.of("25006", "25001", "P0001", "22012", "54001", "XX000", "XX001", "XX002");

    /** The user mapping of a foreign server lacks a password. */
    private static final String MISSING_FOREIGN_PASSWORD = "2F003";

    /**
     * The server closes the connection because of an administrator's command, the crash of another backend, or its
     * startup.
     */
    private static final Set<String> CONNECTION_LOST = Set.of("57P01", "57P02", "57P03", "57P05", "08006");

    /**
     * The database has not answered in time. The instance is shared, because it has no information about the request.
     */
    static final ReadFailure SILENT =
            new ReadFailure(Reason.UNAVAILABLE, new TimeoutException("the database is silent"));

    /** The statement would wait too long. The instance is shared, because it has no information about the request. */
    static final ReadFailure WAIT_TOO_LONG =
            new ReadFailure(Reason.OVERLOADED, new VertxException("the wait would be too long", true));

    private static final Duration BETWEEN_WARNINGS = Duration.ofSeconds(10);

    /** Null until the first warning: an initial clock reading would be made when a native image is built. */
    private static final AtomicReference<Long> LAST_WARNING = new AtomicReference<>();

    private Failures() {}

    static Throwable translate(Throwable failure) {
        if (failure == SILENT) {
            warn("The database is silent");
            return failure;
        }
        if (failure instanceof PgException error) {
            return translate(error);
        }
        if (failure instanceof ConnectionPoolTooBusyException || DriverFailures.isAcquireTimeout(failure)) {
            return new ReadFailure(Reason.OVERLOADED, failure);
        }
        if (isConnectionLost(failure)) {
            warn("The database is unreachable: " + reason(failure));
            return new ReadFailure(Reason.UNAVAILABLE, failure);
        }
        return failure;
    }

    /** Returns the failure of a read that no host can answer. */
    static ReadFailure noHost(Optional<Floor> floor) {
        String why = floor.map(Failures::notReached).orElse("none is available");
        warn("No host can answer a read: " + why);
        return new ReadFailure(Reason.UNAVAILABLE, new IllegalStateException(why));
    }

    private static String notReached(Floor floor) {
        return "none has reached %X/%X on timeline %d"
                .formatted(floor.position() >>> 32, floor.position() & 0xffffffffL, floor.timeline());
    }

    /** Whether the statement failed only because its connection was lost. */
    public static boolean isConnectionLost(Throwable failure) {
        return failure instanceof PgException error
                ? CONNECTION_LOST.contains(sqlState(error))
                : failure instanceof IOException
                        || failure instanceof VertxException
                        || DriverFailures.isNotSent(failure);
    }

    /**
     * Whether a later attempt may succeed, because nothing listens at the address yet, or the server is still starting
     * up. False if the server's certificate is not trusted.
     */
    public static boolean isUnreachable(Throwable failure) {
        return failure instanceof IOException && !isUntrusted(failure)
                || failure instanceof PgException error && "57P03".equals(error.getSqlState());
    }

    /** Whether the server's certificate is not trusted. */
    public static boolean isUntrusted(Throwable failure) {
        return root(failure) instanceof GeneralSecurityException;
    }

    /**
     * Returns the failure's message with that of its root cause. For TLS, only the root cause says what is wrong with
     * the server's certificate. The message of an {@link UnknownHostException} begins with the name of the host.
     */
    public static String reason(Throwable failure) {
        Throwable root = root(failure);
        if (isUntrusted(failure)) {
            return "its certificate is not accepted: " + root.getMessage();
        }
        if (root instanceof UnknownHostException) {
            return "there is no host " + root.getMessage().replaceFirst(": .*", "");
        }
        String message = String.valueOf(failure.getMessage());
        return message.contains(String.valueOf(root.getMessage())) ? message : message + ": " + root.getMessage();
    }

    private static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }

    /** Logs a warning, at most once per interval, because every request fails while the database is unavailable. */
    private static void warn(String what) {
        long now = System.nanoTime();
        Long last = LAST_WARNING.get();
        if ((last == null || now - last > BETWEEN_WARNINGS.toNanos()) && LAST_WARNING.compareAndSet(last, now)) {
            LOG.warn(what + " (logged at most every " + BETWEEN_WARNINGS.toSeconds() + " s)");
        }
    }

    private static Throwable translate(PgException error) {
        String state = sqlState(error);
        if (isTimeout(error)) {
            return new ReadFailure(Reason.TIMEOUT, error);
        }
        if (UNREPRESENTABLE.contains(state)) {
            return new ReadFailure(Reason.UNREPRESENTABLE, error);
        }
        boolean isStatementRejected = SCHEMA_CHANGED.contains(state) || OWNER_CODE_FAILED.contains(state);
        if (isStatementRejected || isUnavailable(error) || isTransient(error)) {
            warn("The database rejected a statement (SQLSTATE " + state + "): " + error.getErrorMessage());
            return isStatementRejected
                    ? ReadFailure.statementRejected(error)
                    : new ReadFailure(Reason.UNAVAILABLE, error);
        }
        return error;
    }

    private static String sqlState(PgException error) {
        return error.getSqlState() == null ? "" : error.getSqlState();
    }

    /** Whether the statement was cancelled, by the statement timeout or by a user. */
    static boolean isTimeout(PgException error) {
        return sqlState(error).equals(QUERY_CANCELED);
    }

    /** Whether a later attempt may succeed, because the failure is temporary. */
    public static boolean isTransient(PgException error) {
        return TRANSIENT.contains(sqlState(error));
    }

    /**
     * Whether the database is unavailable, judged by the class of the SQLSTATE: connection, authorization, unknown
     * database, resources, operator intervention, system errors, and foreign servers.
     */
    public static boolean isUnavailable(PgException error) {
        String state = sqlState(error);
        return state.equals(MISSING_FOREIGN_PASSWORD)
                || state.length() == 5
                        && Set.of("08", "28", "3D", "53", "57", "58", "HV").contains(state.substring(0, 2));
    }
}
