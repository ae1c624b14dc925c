package dev.tidemark.postgres.connection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * The statements of one table over one pool: a bulkhead. If several tables are read, the statements of one of them never
 * take all connections of the pool, so that a table that does not answer, for example because it is locked, does not
 * hold up the others. Thread-safe.
 */
final class TableLoad {

    /** A table whose statement has not been answered for this long may be locked. */
    static final Duration SLOW = Duration.ofMillis(50);

    /** A slow table is no longer slow when all answers of this time were fast. */
    private static final Duration RECOVERY = Duration.ofSeconds(1);

    /** How often a statement is sent to a locked table, to find out whether it is still locked. */
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    enum Admission {
        RUN,
        WAIT,
        REJECT
    }

    private final int poolSize;
    private final Duration longestWait;
    private final WaitLimiter limiter;
    private final BooleanSupplier isOnlyTable;

    /** The statements that wait, in the order of their arrival. */
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    private int running;
    private boolean locked;
    private long lastProbeNanos;
    private volatile boolean slow;
    private volatile long lastSlowNanos;

    /**
     * @param maxWaiting the number of waiting statements at which further ones are rejected
     * @param longestWait statements that would wait longer are rejected, as are statements that would wait for a slow
     *     table that has been silent for this long
     * @param isOnlyTable whether no other table is read over the pool, so that this one may take all connections
     */
    TableLoad(int poolSize, int maxWaiting, Duration longestWait, BooleanSupplier isOnlyTable) {
        this.poolSize = poolSize;
        this.longestWait = longestWait;
        this.limiter = new WaitLimiter(longestWait, poolSize, poolSize, poolSize + maxWaiting);
        this.isOnlyTable = isOnlyTable;
    }

    /** Whether a recent statement was slow. Statements of a slow table must not be sent over pinned connections. */
    boolean isSlow() {
        return slow;
    }

    void markSlow() {
        lastSlowNanos = System.nanoTime();
        slow = true;
    }

    /**
     * Decides whether a statement runs now, waits for other statements of the table, or is rejected.
     *
     * @param run run by {@link #runNext} when it is the turn of a statement that waits
     */
    synchronized Admission enter(Runnable run) {
        boolean mustWait = running >= share();
        if (locked && (mustWait || System.nanoTime() - lastProbeNanos < PROBE_INTERVAL.toNanos())
                || mustWait && slow && limiter.hasBeenSilentFor(longestWait)
                || !limiter.tryEnter(1)) {
            return Admission.REJECT;
        }
        if (locked) {
            lastProbeNanos = System.nanoTime();
        }
        if (!mustWait) {
            running++;
            return Admission.RUN;
        }
        waiting.add(run);
        return Admission.WAIT;
    }

    /** @return whether the statement was waiting; it will not run then */
    synchronized boolean stopWaiting(Runnable run) {
        boolean wasWaiting = waiting.remove(run);
        if (wasWaiting) {
            limiter.leave();
        }
        return wasWaiting;
    }

    int inFlightCount() {
        return limiter.inFlightCount();
    }

    /** Records the answer to a statement that was sent at the given time, and runs the next one that waits. */
    void recordAnswer(long startNanos) {
        limiter.recordAnswer();
        long now = System.nanoTime();
        synchronized (this) {
            locked = false;
        }
        if (slow && now - startNanos > SLOW.toNanos()) {
            lastSlowNanos = now;
        } else if (slow && now - lastSlowNanos > RECOVERY.toNanos()) {
            slow = false;
        }
        runNext();
    }

    /** Rejects further statements, except for a probe each second, until a statement is answered. */
    synchronized void markLocked() {
        locked = true;
        lastProbeNanos = System.nanoTime();
    }

    /** Removes a statement that was not sent or was given up, and runs the next one that waits. */
    void leave() {
        limiter.leave();
        runNext();
    }

    private void runNext() {
        Runnable next;
        synchronized (this) {
            running--;
            next = running < share() && !locked ? waiting.poll() : null;
            if (next != null) {
                running++;
            }
        }
        if (next != null) {
            next.run();
        }
    }

    /** The number of connections that the statements of the table may take. */
    private int share() {
        return isOnlyTable.getAsBoolean() ? poolSize : Math.max(1, slow ? poolSize / 4 : poolSize - poolSize / 4);
    }
}
