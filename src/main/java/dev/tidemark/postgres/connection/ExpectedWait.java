package dev.tidemark.postgres.connection;

import java.time.Duration;

/**
 * How long a statement that comes now would wait for its turn, known from how fast the last ones were answered; and whether
 * that is too long. Thread-safe.
 */
final class ExpectedWait {

    /** The share of one answer in the mean, at most. */
    private static final int SMOOTHING = 16;

    private final long longestNanos;
    private final int abreast;
    private final int alwaysTaken;
    private final int most;

    private int inFlight;
    private long lastAnswer;
    private long meanNanos;

    /**
     * @param longest the wait that is too long
     * @param abreast how many statements run at the same time
     * @param alwaysTaken as many are taken in any case
     * @param most as many are never taken
     */
    ExpectedWait(Duration longest, int abreast, int alwaysTaken, int most) {
        this.longestNanos = longest.toNanos();
        this.abreast = abreast;
        this.alwaysTaken = alwaysTaken;
        this.most = most;
    }

    /** @return whether the statement may come; who may has to {@link #answered} or {@link #leave} */
    synchronized boolean enter() {
        if (inFlight >= most || inFlight >= alwaysTaken && (inFlight - abreast + 1) * meanNanos > longestNanos) {
            return false;
        }
        if (inFlight == 0) {
            lastAnswer = System.nanoTime();
        }
        inFlight++;
        return true;
    }

    synchronized void answered() {
        long now = System.nanoTime();
        // What took long while few ran would have taken a share of it for each, had all connections been busy.
        long took = (now - lastAnswer) * Math.min(inFlight, abreast) / abreast;
        // One pause holds up all that wait once, and must not be counted for each of them.
        meanNanos += (took - meanNanos) / Math.max(SMOOTHING, inFlight);
        lastAnswer = now;
        inFlight--;
    }

    /** Of a statement that was not run. */
    synchronized void leave() {
        inFlight--;
    }

    synchronized int inFlight() {
        return inFlight;
    }

    /** Whether statements are in flight, and none was answered for so long. */
    synchronized boolean isSilentFor(Duration time) {
        return inFlight > 0 && System.nanoTime() - lastAnswer > time.toNanos();
    }

    /** Whether none was answered since then. */
    synchronized boolean isSilentSince(long nanos) {
        return lastAnswer - nanos <= 0;
    }
}
