package dev.tidemark.postgres.connection;

import java.time.Duration;

/**
 * Estimates how long the next statement would wait for its turn, from the rate of the latest answers, and rejects it if that is too
 * long. Thread-safe.
 */
final class ExpectedWait {

    /** One answer changes the mean by at most one part in this many. */
    private static final int SMOOTHING = 16;

    private final long longestNanos;
    private final int concurrency;
    private final int alwaysAccepted;
    private final int max;

    private int inFlight;
    private long lastAnswer;
    private long meanNanos;

    /**
     * @param longest statements that would wait longer are rejected
     * @param concurrency how many statements run at the same time
     * @param alwaysAccepted statements in flight up to which none is rejected
     * @param max statements in flight from which on all are rejected
     */
    ExpectedWait(Duration longest, int concurrency, int alwaysAccepted, int max) {
        this.longestNanos = longest.toNanos();
        this.concurrency = concurrency;
        this.alwaysAccepted = alwaysAccepted;
        this.max = max;
    }

    /** @return whether the statement is accepted; then {@link #answered} or {@link #leave} must follow */
    boolean enter() {
        return enter(1);
    }

    /**
     * @param statements which are sent together
     * @return whether all are accepted; then {@link #answered} or {@link #leave} must follow for each
     */
    synchronized boolean enter(int statements) {
        if (inFlight >= max || inFlight >= alwaysAccepted && (inFlight - concurrency + 1) * meanNanos > longestNanos) {
            return false;
        }
        if (inFlight == 0) {
            lastAnswer = System.nanoTime();
        }
        inFlight += statements;
        return true;
    }

    synchronized void answered() {
        long now = System.nanoTime();
        // While fewer statements ran than can run at once, each took a larger share of the time between two answers.
        long took = (now - lastAnswer) * Math.min(inFlight, concurrency) / concurrency;
        // A pause holds up all waiting statements once, so it must not be counted for each of them.
        meanNanos += (took - meanNanos) / Math.max(SMOOTHING, inFlight);
        lastAnswer = now;
        inFlight--;
    }

    /** Instead of {@link #answered}, for a statement that was not run. */
    synchronized void leave() {
        inFlight--;
    }

    synchronized int inFlight() {
        return inFlight;
    }

    /** Whether statements are in flight and none has been answered for that time. */
    synchronized boolean isSilentFor(Duration time) {
        return inFlight > 0 && System.nanoTime() - lastAnswer > time.toNanos();
    }

    /** Whether no statement has been answered since then. */
    synchronized boolean isSilentSince(long nanos) {
        return lastAnswer - nanos <= 0;
    }
}
