package dev.tidemark.refresh;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets the statements of writers run concurrently, and pauses all of them while a client's list is compared with the
 * database. Their transactions stay open meanwhile.
 */
final class Pause {

    /** Work that may throw anything. */
    interface Work {
        void run() throws Exception;
    }

    private final ReadWriteLock statements = new ReentrantReadWriteLock(true);
    private final AtomicInteger runsWithoutLongTransactions = new AtomicInteger();
    private int pauseCount;
    private long transactionCount;

    /** Runs one statement, or several that a pause must not separate. */
    void runStep(Work statement) throws Exception {
        statements.readLock().lock();
        try {
            statement.run();
        } finally {
            statements.readLock().unlock();
        }
    }

    /** Runs the work while no writer executes a statement, so that nothing is committed. */
    void runBetweenStatements(Work comparison) throws Exception {
        statements.writeLock().lock();
        try {
            comparison.run();
        } finally {
            statements.writeLock().unlock();
            synchronized (this) {
                pauseCount++;
                notifyAll();
            }
        }
    }

    /** Runs the work. Meanwhile, open transactions end soon, and no new one stays open for long. */
    void runWithoutLongTransactions(Work work) throws Exception {
        runsWithoutLongTransactions.incrementAndGet();
        synchronized (this) {
            notifyAll();
        }
        try {
            work.run();
        } finally {
            runsWithoutLongTransactions.decrementAndGet();
        }
    }

    synchronized void transactionEnded() {
        transactionCount++;
        notifyAll();
    }

    /** Waits until statements have been paused this many more times, unless open transactions are to end soon. */
    synchronized void awaitPauses(int more) throws InterruptedException {
        for (int end = pauseCount + more; pauseCount < end && runsWithoutLongTransactions.get() == 0; ) {
            wait(1_000);
        }
    }

    /** Waits until {@code more} further transactions have ended, but no longer than about {@code more} ms. */
    synchronized void awaitTransactions(int more) throws InterruptedException {
        long end = transactionCount + more;
        for (int i = 0; transactionCount < end && i < more; i++) {
            wait(1);
        }
    }
}
