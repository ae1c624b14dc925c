package dev.tidemark.postgres.connection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * The statements over one pool that read the same tables: a bulkhead. If several tables are read, the statements of
 * one of them never take all connections of the pool, so that a table whose statements are slow does not hold up the
 * others.
 *
 * <p>They may take three quarters of the connections, and a quarter while a lock is suspected. Thread-safe.
 */
final class TableLoad {

    enum Admission {
        RUN,
        WAIT,
        /** Other statements of the same tables wait for too long. */
        REJECT,
        /** A table is locked. */
        REJECT_LOCKED
    }

    /** A statement that waits for other statements of the same tables. */
    interface Waiting {
        /** Called when the statement may run. */
        void admit();

        /** Called instead of {@link #admit} if a table turns out to be locked. */
        void rejectLocked();
    }

    private final TableLock lock;
    private final int poolSize;
    private final Duration longestWait;
    private final WaitLimiter limiter;
    private final BooleanSupplier isOnlyTable;

    /** The statements that wait, in the order of their arrival. */
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    private int running;
    private Optional<TableMeters> meters = Optional.empty();

    /**
     * @param maxWaiting the number of waiting statements at which further ones are rejected
     * @param longestWait statements that would wait longer are rejected, as are statements that would wait for tables
     *     that have been silent for this long although a lock is suspected
     * @param isOnlyTable whether no other table is read over the pool, so that this one may take all connections
     */
    TableLoad(TableLock lock, int poolSize, int maxWaiting, Duration longestWait, BooleanSupplier isOnlyTable) {
        this.lock = lock;
        this.poolSize = poolSize;
        this.longestWait = longestWait;
        this.limiter = new WaitLimiter(longestWait, poolSize, poolSize, poolSize + maxWaiting);
        this.isOnlyTable = isOnlyTable;
        lock.onLocked(this::rejectWaiting);
    }

    TableLock lock() {
        return lock;
    }

    /** Must be called before the first statement enters. */
    void setMeters(TableMeters newMeters) {
        meters = Optional.of(newMeters);
    }

    /** @param isLocked whether a statement was rejected because a table is locked */
    void recordRejected(boolean isLocked) {
        meters.ifPresent(present -> present.recordRejected(isLocked));
    }

    /**
     * Decides whether a statement runs now, waits for other statements of the same tables, or is rejected.
     *
     * @param statement run by {@link #runNext} when it is the turn of a statement that waits
     */
    synchronized Admission enter(Waiting statement) {
        boolean mustWait = !waiting.isEmpty() || running >= share();
        if (mustWait && lock.isLocked() || !lock.tryPass()) {
            return Admission.REJECT_LOCKED;
        }
        if (mustWait && lock.isSuspected() && limiter.hasBeenSilentFor(longestWait) || !limiter.tryEnter(1)) {
            return Admission.REJECT;
        }
        if (!mustWait) {
            running++;
            return Admission.RUN;
        }
        waiting.add(statement);
        return Admission.WAIT;
    }

    /** @return whether the statement was waiting; it will not run then */
    synchronized boolean stopWaiting(Waiting statement) {
        boolean wasWaiting = waiting.remove(statement);
        if (wasWaiting) {
            limiter.leave();
        }
        return wasWaiting;
    }

    int inFlightCount() {
        return limiter.inFlightCount();
    }

    /** Records the answer to a statement, and runs those whose turn it is. */
    void recordAnswer() {
        limiter.recordAnswer();
        runNext();
    }

    /** Removes a statement that was not sent or met a lock, and runs those whose turn it is. */
    void leave() {
        limiter.leave();
        runNext();
    }

    private void runNext() {
        List<Waiting> next;
        synchronized (this) {
            running--;
            if (waiting.isEmpty()) {
                return;
            }
            next = new ArrayList<>(1);
            // Several if the share has grown.
            while (running < share() && !waiting.isEmpty()) {
                next.add(waiting.remove());
                running++;
            }
        }
        next.forEach(Waiting::admit);
    }

    private void rejectWaiting() {
        List<Waiting> rejected;
        synchronized (this) {
            rejected = new ArrayList<>(waiting);
            waiting.clear();
        }
        rejected.forEach(statement -> {
            limiter.leave();
            statement.rejectLocked();
        });
    }

    /** The number of connections that the statements may take. */
    private int share() {
        if (isOnlyTable.getAsBoolean()) {
            return poolSize;
        }
        int quarter = poolSize / 4;
        return Math.max(1, lock.isSuspected() ? quarter : poolSize - quarter);
    }
}
