package dev.tidemark.postgres.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of the pinned connections the statements of the same tables may use. Answers arrive in the order of the
 * statements, so what others wait for them is, by Little's law, the number in flight times the mean time of one. This
 * product is limited: the slower the statements become, the fewer of them may be in flight. Thread-safe.
 */
final class PinnedShare {

    /** How long the statements of other tables may wait for those of one. */
    static final Duration LONGEST_DELAY = Duration.ofMillis(50);

    /** The mean moves by 1/8 of the way to each new value. */
    private static final int SMOOTHING = 8;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong meanNanos = new AtomicLong();

    /** Whether another statement fits in, if {@code connections} share the statements. */
    boolean hasRoom(int connections) {
        long perConnection = inFlight.get() / Math.max(1, connections) + 1L;
        return perConnection * meanNanos.get() <= LONGEST_DELAY.toNanos();
    }

    void enter() {
        inFlight.incrementAndGet();
    }

    void leave() {
        inFlight.decrementAndGet();
    }

    int inFlightCount() {
        return inFlight.get();
    }

    /** @param nanos the time for which one statement kept a pinned connection busy */
    void recordTime(long nanos) {
        // A lost update of another thread does not matter.
        long mean = meanNanos.get();
        meanNanos.lazySet(mean + (nanos - mean) / SMOOTHING);
    }

    /**
     * Records that a statement has delayed others for too long. There is no room until statements are fast over a
     * pool.
     */
    void recordTooLong() {
        meanNanos.accumulateAndGet(2 * LONGEST_DELAY.toNanos(), Math::max);
    }

    /**
     * Records the time of a statement that used a pool. It only lowers the mean, so that the statements can return to
     * the pinned connections. It must not raise the mean, because statements of a pool also wait for one another.
     */
    void recordTimeOfPool(long nanos) {
        if (nanos < meanNanos.get()) {
            recordTime(nanos);
        }
    }
}
