package dev.tidemark.postgres.hosts;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Records the flush LSN of the primary over time, to compute the lag of standbys. Not thread-safe. */
final class FlushLsnLog {

    private static final Duration KEPT = Duration.ofMinutes(10);

    private record Sample(long position, long nanos) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Records the flush LSN at the given time. */
    void add(long position, long nanos) {
        Sample last = samples.peekLast();
        if (last != null && position < last.position()) {
            // This is another primary, whose WAL ends before that of the previous one.
            samples.clear();
        }
        if (last == null || position != last.position()) {
            samples.add(new Sample(position, nanos));
        }
        while (samples.size() > 1 && nanos - samples.peekFirst().nanos() > KEPT.toNanos()) {
            samples.remove();
        }
    }

    /** Discards all positions, because they belong to another cluster. */
    void clear() {
        samples.clear();
    }

    /**
     * Returns the time since the first recorded position that the standby has not replayed; zero if it has replayed
     * all. Positions are kept for ten minutes, which is therefore about the longest lag.
     */
    Duration lag(long applied, long nanos) {
        for (Sample sample : samples) {
            if (sample.position() > applied) {
                return Duration.ofNanos(nanos - sample.nanos());
            }
        }
        return Duration.ZERO;
    }
}
