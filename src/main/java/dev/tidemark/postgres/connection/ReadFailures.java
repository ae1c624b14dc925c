package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.paging.Floor;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/** Turns failures into {@link ReadFailure}, and logs those that an operator should know about. */
public final class ReadFailures {

    private static final Logger LOG = Logger.getLogger(ReadFailures.class);

    /** A text contains a character that the database's encoding cannot represent. */
    private static final Set<String> UNREPRESENTABLE = Set.of("22P05", "22021");

    /**
     * The database has not answered in time. The instance is shared, because it contains nothing about the request,
     * and is recognized by identity.
     */
    public static final ReadFailure SILENT =
            new ReadFailure(Reason.UNAVAILABLE, new TimeoutException("the database is silent"));

    /**
     * The statement would wait too long for its turn. The instance is shared, because it contains nothing about the
     * request, and is recognized by identity.
     */
    public static final ReadFailure WAIT_TOO_LONG =
            new ReadFailure(Reason.OVERLOADED, new VertxException("the wait would be too long", true));

    /**
     * A table that the statement reads is locked. The instance is shared and recognized by identity, as above.
     */
    public static final ReadFailure LOCKED =
            new ReadFailure(Reason.LOCKED, new VertxException("a table of the statement is locked", true));

    /**
     * Statements over the same connection would wait for locks before this one gets its turn, or one is slow. The
     * instance is shared and recognized by identity, as above.
     */
    static final ReadFailure BLOCKED =
            new ReadFailure(Reason.LOCKED, new VertxException("earlier statements wait for locks or are slow", true));

    /** Limits warnings, because every request fails while the database is unavailable. */
    private static final WarningLimit OUTAGES = new WarningLimit(Duration.ofSeconds(10));

    /**
     * How often the same warning about rejected statements is logged. A feed that the database cannot read stays so
     * until its table or its declaration is repaired.
     */
    private static final Duration REJECTION_INTERVAL = Duration.ofMinutes(1);

    /** Limits warnings about rejected statements: each feed and SQLSTATE by itself, so that none hides another. */
    private static final Map<String, WarningLimit> REJECTIONS = new ConcurrentHashMap<>();

    /** The largest number of such limits. A function can raise any SQLSTATE, also those that a value contains. */
    private static final int MAX_REJECTIONS = 1000;

    /** Limits all warnings about rejected statements that have no limit of their own. */
    private static final WarningLimit OTHER_REJECTIONS = new WarningLimit(REJECTION_INTERVAL);

    /**
     * @param lastNanos when a warning was last logged, by {@link System#nanoTime}. {@code null} until the first
     *     warning, because an initial value would be read from the clock when a native image is built
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
     *
     * @param feed the name of the feed that the statement reads; empty if it reads none
     * @param values the values of the statement, all of which are texts
     */
    public static Throwable logAndTranslate(Throwable failure, Optional<String> feed, Tuple values) {
        if (failure == SILENT) {
            warn("The database is silent", OUTAGES);
            return failure;
        }
        if (failure instanceof PgException error) {
            return translate(error, feed, values);
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

    /** Logs why a new session of a pool is not used. A statement that waits for it fails, because it was closed. */
    static void logUnprepared(Throwable failure) {
        warn("A new database session cannot be used: " + Failures.reason(failure), OUTAGES);
    }

    /**
     * Logs that no host can answer a read, and returns the failure of this read.
     *
     * @param floor the oldest database state that the read may show; empty for any state
     */
    public static ReadFailure logNoHost(Optional<Floor> floor) {
        return logNoHost(floor.map(ReadFailures::describeUnreached).orElse("none is available"));
    }

    /** Logs that only the primary could answer a read, and returns the failure of this read. */
    public static ReadFailure logNoPrimary() {
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

    private static Throwable translate(PgException error, Optional<String> feed, Tuple values) {
        String state = Failures.sqlState(error);
        if (Failures.isCanceled(error)) {
            return new ReadFailure(Reason.TIMEOUT, error);
        }
        if (UNREPRESENTABLE.contains(state) && hasUnusualCharacter(values)) {
            return new ReadFailure(Reason.UNREPRESENTABLE, error);
        }
        boolean isOwnersFault = Failures.isOwnersFault(error);
        if (isOwnersFault || Failures.isUnavailable(error) || Failures.isTransient(error)) {
            warn(
                    "The database rejected a statement"
                            + feed.map(name -> " of feed " + name).orElse("") + " (SQLSTATE " + state + "): "
                            + error.getErrorMessage(),
                    isOwnersFault ? rejectionLimit(feed.orElse("") + ' ' + state) : OUTAGES);
            return new ReadFailure(isOwnersFault ? Reason.FEED_UNAVAILABLE : Reason.UNAVAILABLE, error);
        }
        return error;
    }

    /**
     * Whether a value contains a character that some encoding cannot represent. If none does, the owner's own SQL has
     * failed to convert a text.
     */
    private static boolean hasUnusualCharacter(Tuple values) {
        for (int i = 0; i < values.size(); i++) {
            String value = values.getString(i);
            if (value != null && value.chars().anyMatch(character -> character == 0 || character > 127)) {
                return true;
            }
        }
        return false;
    }

    private static WarningLimit rejectionLimit(String kind) {
        WarningLimit known = REJECTIONS.get(kind);
        if (known != null || REJECTIONS.size() >= MAX_REJECTIONS) {
            return known == null ? OTHER_REJECTIONS : known;
        }
        return REJECTIONS.computeIfAbsent(kind, added -> new WarningLimit(REJECTION_INTERVAL));
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
