package dev.tidemark.postgres.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A circuit breaker for the statements that read the same tables: while one of these tables is locked, it lets only
 * one statement a second through, which finds out whether the lock is still held.
 *
 * <p>PostgreSQL does not say which of several tables is locked. Statements that read only some of them are therefore
 * not rejected, but do not use pinned connections for a while. Thread-safe.
 */
final class TableLock {

    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    /** How long a table's statements use no pinned connection after one of them has met a lock. */
    private static final Duration RECOVERY = Duration.ofSeconds(1);

    /** How long a lock is reported after the last statement has met it. */
    private static final Duration REPORTED = Duration.ofSeconds(10);

    /** One table, shared by all statements that read it. */
    static final class Table {

        private volatile boolean suspected;
        private volatile long suspectedNanos;

        private void suspect() {
            suspectedNanos = System.nanoTime();
            suspected = true;
        }

        private void clearAfterRecovery() {
            if (suspected && System.nanoTime() - suspectedNanos > RECOVERY.toNanos()) {
                suspected = false;
            }
        }
    }

    private final List<Table> tables;
    private final AtomicBoolean locked = new AtomicBoolean();
    private final AtomicLong lastProbeNanos = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    TableLock(List<Table> tables) {
        this.tables = List.copyOf(tables);
    }

    /** Whether a statement that reads one of the tables has recently met a lock. */
    boolean isSuspected() {
        for (int i = 0; i < tables.size(); i++) {
            if (tables.get(i).suspected) {
                return true;
            }
        }
        return false;
    }

    /** Whether the last statement that was answered had waited for a lock in vain. */
    boolean isLocked() {
        return locked.get();
    }

    /**
     * Whether statements have met the lock in the last seconds. If nobody reads the tables, nobody finds out whether
     * the lock is still held.
     */
    boolean isRejecting() {
        return isLocked() && System.nanoTime() - lastProbeNanos.get() < REPORTED.toNanos();
    }

    /** @param listener called when statements begin to be rejected */
    void onLocked(Runnable listener) {
        listeners.add(listener);
    }

    /** Whether a statement may be sent. While the tables are locked, true once a second. */
    boolean tryPass() {
        if (!isLocked()) {
            return true;
        }
        long last = lastProbeNanos.get();
        long now = System.nanoTime();
        return now - last > PROBE_INTERVAL.toNanos() && lastProbeNanos.compareAndSet(last, now);
    }

    /** Records that a statement has waited for a lock for so long that it was not worth delaying others. */
    void suspect() {
        tables.forEach(Table::suspect);
    }

    /** Records that a statement has waited for a lock for the longest wait. */
    void lock() {
        lastProbeNanos.set(System.nanoTime());
        if (locked.compareAndSet(false, true)) {
            suspect();
            listeners.forEach(Runnable::run);
        }
    }

    /** Records that a statement was answered, so that none of the tables is locked. */
    void recordAnswer() {
        if (locked.get()) {
            locked.set(false);
        }
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).clearAfterRecovery();
        }
    }
}
