package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.paging.Floor;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/** Turns failures into {@link ReadFailure}, and logs those that an operator should know about. */
final class ReadFailures {

    private static final Logger LOG = Logger.getLogger(ReadFailures.class);

    /** A value contains a character that the database's encoding cannot represent. */
    private static final Set<String> UNREPRESENTABLE = Set.of("22P05", "22021");

    /**
     * The schema has changed since the feed was resolved: the result type of a cached plan has changed; a table,
     * column, function, schema, or other object is missing, ambiguous, or of another kind; a privilege is missing;
     * types do not match, or a value is not valid for its type.
     */
    private static final Set<String> SCHEMA_CHANGED = Set.of(
            "0A000", "42P01", "42703", "42883", "42704", "3F000", "42809", "42725", "42702", "42501", "42804", "42846",
            "22P02", "22003", "22007", "22008");

    /**
     * A condition, view, or function of the table's owner fails: it writes although the session is read-only, changes
     * the mode of its transaction, raises an error, divides by zero, exceeds the stack depth, or causes an internal
     * error of PostgreSQL.
     */
    private static final Set<String> OWNER_CODE_FAILED =
            Set.of("25006", "25001", "P0001", "22012", "54001", "XX000", "XX001", "XX002");

    /**
     * The database has not answered in time. The instance is shared, because it contains nothing about the request, and
     * is recognized by identity.
     */
    static final ReadFailure SILENT =
            new ReadFailure(Reason.UNAVAILABLE, new TimeoutException("the database is silent"));

    /**
     * The statement would wait too long for its turn. The instance is shared, because it contains nothing about the
     * request, and is recognized by identity.
     */
    static final ReadFailure WAIT_TOO_LONG =
            new ReadFailure(Reason.OVERLOADED, new VertxException("the wait would be too long", true));

    /**
     * A table that the statement reads is locked. The instance is shared and recognized by identity, as above.
     */
    static final ReadFailure LOCKED =
            new ReadFailure(Reason.LOCKED, new VertxException("a table of the statement is locked", true));

    /**
     * Statements over the same connection would wait for locks before this one gets its turn, or one is slow. The instance
     * is shared and recognized by identity, as above.
     */
    static final ReadFailure BLOCKED =
            new ReadFailure(Reason.LOCKED, new VertxException("earlier statements wait for locks or are slow", true));

    /** Limits warnings, because every request fails while the database is unavailable. */
    private static final WarningLimit OUTAGES = new WarningLimit(Duration.ofSeconds(10));

    /**
     * Limits warnings about rejected statements, because a feed that the database cannot read stays so until its table or
     * its declaration is repaired. The limit is separate, so that such a feed does not hide an outage.
     */
    private static final WarningLimit REJECTIONS = new WarningLimit(Duration.ofMinutes(1));

    /**
     * @param lastNanos when a warning was last logged, by {@link System#nanoTime}. {@code null} until the first warning,
     *     because an initial value would be read from the clock when a native image is built
     */
    private record WarningLimit(Duration interval, AtomicReference<Long> lastNanos) {
        WarningLimit(Duration interval) {
            this(interval, new AtomicReference<>());
        }
    }

    private ReadFailures() {}

    /**
     * Returns the {@link ReadFailure} for a failure of the driver. A failure that already is a {@link ReadFailure} is
     * returned unchanged, as is an unknown failure, which indicates a bug.
     */
    static Throwable logAndTranslate(Throwable failure) {
        if (failure == SILENT) {
            warn("The database is silent", OUTAGES);
            return failure;
        }
        if (failure instanceof PgException error) {
            return translate(error);
        }
        if (failure instanceof ConnectionPoolTooBusyException) {
            return new ReadFailure(Reason.OVERLOADED, failure);
        }
        if (Failures.isConnectionLost(failure)) {
            warn("The database is unreachable: " + Failures.reason(failure), OUTAGES);
            return new ReadFailure(Reason.UNAVAILABLE, failure);
        }
        return failure;
    }

    /**
     * Logs that no host can answer a read, and returns the failure of this read.
     *
     * @param floor the oldest database state that the read may show; empty for any state
     */
    static ReadFailure logNoHost(Optional<Floor> floor) {
        return logNoHost(floor.map(ReadFailures::describeUnreached).orElse("none is available"));
    }

    /** Logs that only the primary could answer a read, and returns the failure of this read. */
    static ReadFailure logNoPrimary() {
        return logNoHost("only the primary can, and it is unavailable");
    }

    private static ReadFailure logNoHost(String why) {
        warn("No host can answer a read: " + why, OUTAGES);
        return new ReadFailure(Reason.UNAVAILABLE, new IllegalStateException(why));
    }

    private static String describeUnreached(Floor floor) {
        return "none has reached %X/%X on timeline %d"
                .formatted(floor.lsn() >>> 32, floor.lsn() & 0xffffffffL, floor.timeline());
    }

    private static Throwable translate(PgException error) {
        String state = Failures.sqlState(error);
        if (Failures.isCanceled(error)) {
            return new ReadFailure(Reason.TIMEOUT, error);
        }
        if (UNREPRESENTABLE.contains(state)) {
            return new ReadFailure(Reason.UNREPRESENTABLE, error);
        }
        boolean isStatementRejected = SCHEMA_CHANGED.contains(state) || OWNER_CODE_FAILED.contains(state);
        if (isStatementRejected || Failures.isUnavailable(error) || Failures.isTransient(error)) {
            warn(
                    "The database rejected a statement (SQLSTATE " + state + "): " + error.getErrorMessage(),
                    isStatementRejected ? REJECTIONS : OUTAGES);
            return new ReadFailure(isStatementRejected ? Reason.FEED_UNAVAILABLE : Reason.UNAVAILABLE, error);
        }
        return error;
    }

    @SuppressWarnings("PrimitiveAtomicReference") // The compared object is the one that get() returned.
    private static void warn(String message, WarningLimit limit) {
        long now = System.nanoTime();
        Long last = limit.lastNanos().get();
        if ((last == null || now - last > limit.interval().toNanos())
                && limit.lastNanos().compareAndSet(last, now)) {
            LOG.warn(message + " (logged at most every " + limit.interval().toSeconds() + " s)");
        }
    }
}
