package dev.tidemark.postgres.hosts;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Records the flush LSN of the primary over time, to compute the lag of standbys. Not thread-safe. */
final class FlushLsnLog {

    private static final Duration RETENTION = Duration.ofMinutes(10);

    private record Sample(long flushLsn, long nanos) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** @param nanos the time at which the primary had this flush LSN, by {@link System#nanoTime} */
    void add(long flushLsn, long nanos) {
        Sample last = samples.peekLast();
        if (last != null && flushLsn < last.flushLsn()) {
            // The primary was replaced by another one, whose WAL ends earlier.
            samples.clear();
        }
        if (last == null || flushLsn != last.flushLsn()) {
            samples.add(new Sample(flushLsn, nanos));
        }
        while (samples.size() > 1 && nanos - samples.peekFirst().nanos() > RETENTION.toNanos()) {
            samples.remove();
        }
    }

    /** Discards all samples, because they belong to another database cluster. */
    void clear() {
        samples.clear();
    }

    /**
     * Returns the time since the primary had the first recorded flush LSN that the standby has not replayed; zero if
     * the standby has replayed every recorded one. Samples are kept for ten minutes, so a longer lag counts as about
     * ten minutes while the primary is written to.
     *
     * @param nanos the current time, by {@link System#nanoTime}
     */
    Duration lag(long replayLsn, long nanos) {
        for (Sample sample : samples) {
            if (sample.flushLsn() > replayLsn) {
                return Duration.ofNanos(nanos - sample.nanos());
            }
        }
        return Duration.ZERO;
    }
}
