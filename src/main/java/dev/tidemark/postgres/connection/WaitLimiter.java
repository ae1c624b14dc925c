package dev.tidemark.postgres.connection;

import java.time.Duration;

/**
 * Rejects a statement if it would wait too long for its turn. Estimates the wait from the rate of the latest answers.
 * Thread-safe.
 */
final class WaitLimiter {

    /** {@link #meanIntervalNanos} moves by at most 1/16 of the way to each new value. */
    private static final int SMOOTHING = 16;

    private final long longestWaitNanos;
    private final int concurrency;
    private final int alwaysAccepted;
    private final int maxInFlight;

    private int inFlight;
    private long lastAnswerNanos;

    /** The mean time between two answers while {@link #concurrency} statements run. */
    private long meanIntervalNanos;

    /**
     * @param longestWait statements that would wait longer are rejected
     * @param concurrency the number of statements that can run at the same time
     * @param alwaysAccepted the number of statements in flight below which none is rejected
     * @param maxInFlight the number of statements in flight at which further ones are rejected
     */
    WaitLimiter(Duration longestWait, int concurrency, int alwaysAccepted, int maxInFlight) {
        this.longestWaitNanos = longestWait.toNanos();
        this.concurrency = concurrency;
        this.alwaysAccepted = alwaysAccepted;
        this.maxInFlight = maxInFlight;
    }

    /**
     * @param statementCount the number of statements that are sent together
     * @return whether all are accepted; if so, the caller must call {@link #recordAnswer} or {@link #leave} for each
     */
    synchronized boolean tryEnter(int statementCount) {
        if (isOverloaded()) {
            return false;
        }
        if (inFlight == 0) {
            lastAnswerNanos = System.nanoTime();
        }
        inFlight += statementCount;
        return true;
    }

    /**
     * Whether a statement that arrives now is rejected. Its wait is estimated as the number of statements before it,
     * times the mean time between two answers (Little's law).
     */
    private boolean isOverloaded() {
        return inFlight >= maxInFlight
                || inFlight >= alwaysAccepted && (inFlight - concurrency + 1) * meanIntervalNanos > longestWaitNanos;
    }

    void recordAnswer() {
        recordAnswer(System.nanoTime());
    }

    /** @param now the present {@link System#nanoTime} */
    synchronized void recordAnswer(long now) {
        // If fewer statements ran than can run at once, answers arrived less often than they could. Scale the time
        // between two answers to full concurrency.
        long intervalNanos = (now - lastAnswerNanos) * Math.min(inFlight, concurrency) / concurrency;
        // A pause delays all statements in flight once. The division by their number keeps the expected wait from
        // growing by more than the pause.
        meanIntervalNanos += (intervalNanos - meanIntervalNanos) / Math.max(SMOOTHING, inFlight);
        lastAnswerNanos = now;
        inFlight--;
    }

    /** Removes a statement that was not run; called instead of {@link #recordAnswer}. */
    synchronized void leave() {
        inFlight--;
    }

    synchronized int inFlightCount() {
        return inFlight;
    }

    /** Whether statements are in flight and none has been answered for this time. */
    synchronized boolean hasBeenSilentFor(Duration time) {
        return inFlight > 0 && System.nanoTime() - lastAnswerNanos > time.toNanos();
    }

    /** Whether no statement has been answered since the given value of {@link System#nanoTime}. */
    synchronized boolean hasNotAnsweredSince(long sinceNanos) {
        return lastAnswerNanos - sinceNanos <= 0;
    }
}
