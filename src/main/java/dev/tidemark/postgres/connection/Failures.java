package dev.tidemark.postgres.connection;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.feed.ReadFailure.Reason;
import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/** Names what the driver reports. What has no name here is a bug, and stays what it is. */
public final class Failures {

    private static final Logger LOG = Logger.getLogger(Failures.class);

    private static final String QUERY_CANCELED = "57014";

    /** A character that the database's encoding does not have. */
    private static final Set<String> UNREPRESENTABLE = Set.of("22P05", "22021");

    /** Conflicts with a standby's recovery, deadlocks, locks that do not come free, objects that are not ready. */
    private static final Set<String> PASSING = Set.of("40001", "40P01", "55P03", "55000");

    /**
     * What was found whole at start is no longer so: a plan whose result has changed; tables, columns, functions, objects
     * and schemas that are not there, of another kind or ambiguous; missing privileges; types that do not go together,
     * and values that a type does not have.
     */
    private static final Set<String> SCHEMA_CHANGED = Set.of(
            "0A000", "42P01", "42703", "42883", "42704", "3F000", "42809", "42725", "42702", "42501", "42804", "42846",
            "22P02", "22003", "22007", "22008");

    /**
     * What a condition, view or function of the table's owner may end in: that it writes where sessions only read; an error
     * that it raises, one of its own values' making, and what PostgreSQL itself could not do or find.
     */
    private static final Set<String> OF_OTHERS =
            Set.of("25006", "25001", "P0001", "22012", "54001", "XX000", "XX001", "XX002");

    /** The server ends a connection: it is told to, another process of it has crashed, or it is starting up. */
    private static final Set<String> LOST = Set.of("57P01", "57P02", "57P03", "57P05", "08006");

    /** Made once: it tells nothing of where it comes from. */
    static final ReadFailure SILENT =
            new ReadFailure(Reason.UNAVAILABLE, new TimeoutException("the database is silent"));

    /** Made once: it tells nothing of where it comes from. */
    static final ReadFailure FULL =
            new ReadFailure(Reason.OVERLOADED, new VertxException("the wait would be too long", true));

    private static final Duration QUIET = Duration.ofSeconds(10);

    /** Empty until the first line: a moment of the clock would be that of a native image's build. */
    private static final AtomicReference<Long> LAST_TOLD = new AtomicReference<>();

    private Failures() {}

    static Throwable named(Throwable failure) {
        if (failure == SILENT) {
            tell("The database is silent");
            return failure;
        }
        if (failure instanceof PgException refused) {
            return named(refused);
        }
        if (failure instanceof ConnectionPoolTooBusyException || DriverFailures.isAcquireTimeout(failure)) {
            return new ReadFailure(Reason.OVERLOADED, failure);
        }
        if (isLost(failure)) {
            tell("The database is away: " + reason(failure));
            return new ReadFailure(Reason.UNAVAILABLE, failure);
        }
        return failure;
    }

    /** Whether a failure says nothing of the statement, but that its connection has gone. */
    public static boolean isLost(Throwable failure) {
        return failure instanceof PgException refused
                ? LOST.contains(sqlState(refused))
                : failure instanceof IOException || failure instanceof VertxException || DriverFailures.isNotSent(failure);
    }

    /** Nobody listens there yet, or who does is still starting up. Who is not trusted will not be so by waiting. */
    static boolean isUnreachable(Throwable failure) {
        return failure instanceof IOException && !isUntrusted(failure)
                || failure instanceof PgException refused && "57P03".equals(refused.getSqlState());
    }

    /** What the server proves itself with is not enough. */
    static boolean isUntrusted(Throwable failure) {
        return root(failure) instanceof GeneralSecurityException;
    }

    /** Of TLS, the cause alone says what is wrong with the other's certificate. */
    static String reason(Throwable failure) {
        Throwable root = root(failure);
        if (isUntrusted(failure)) {
            return "its certificate is not accepted: " + root.getMessage();
        }
        return root == failure ? failure.getMessage() : failure.getMessage() + ": " + root.getMessage();
    }

    private static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }

    /** Not for each request that fails: while the database is away, all do. */
    private static void tell(String what) {
        long now = System.nanoTime();
        Long last = LAST_TOLD.get();
        if ((last == null || now - last > QUIET.toNanos()) && LAST_TOLD.compareAndSet(last, now)) {
            LOG.warn(what + " (told at most every " + QUIET.toSeconds() + " s)");
        }
    }

    private static Throwable named(PgException refused) {
        String state = sqlState(refused);
        if (state.equals(QUERY_CANCELED)) {
            return new ReadFailure(Reason.TIMEOUT, refused);
        }
        if (UNREPRESENTABLE.contains(state)) {
            return new ReadFailure(Reason.UNREPRESENTABLE, refused);
        }
        boolean isOfTable = SCHEMA_CHANGED.contains(state) || OF_OTHERS.contains(state);
        if (isOfTable || isAway(refused) || isPassing(refused)) {
            tell("The database refuses (SQLSTATE " + state + "): " + refused.getErrorMessage());
            return isOfTable ? ReadFailure.ofTable(refused) : new ReadFailure(Reason.UNAVAILABLE, refused);
        }
        return refused;
    }

    private static String sqlState(PgException refused) {
        return refused.getSqlState() == null ? "" : refused.getSqlState();
    }

    public static boolean isPassing(PgException refused) {
        return PASSING.contains(sqlState(refused));
    }

    /** By class: connection, authorization, unknown database, resources, operator's intervention, system errors. */
    public static boolean isAway(PgException refused) {
        String state = sqlState(refused);
        return state.length() == 5 && Set.of("08", "28", "3D", "53", "57", "58").contains(state.substring(0, 2));
    }
}
