package dev.tidemark.postgres.hosts;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Where the primary's log stood at which times, which gives the lag of a standby. Not thread-safe. */
final class PrimaryLog {

    private static final Duration KEPT = Duration.ofMinutes(10);

    private record Sample(long position, long nanos) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Notes that the log stood there at that time. */
    void add(long position, long nanos) {
        Sample last = samples.peekLast();
        if (last != null && position < last.position()) {
            // Another primary, which has not come as far as the one before.
            samples.clear();
        }
        if (last == null || position != last.position()) {
            samples.add(new Sample(position, nanos));
        }
        while (samples.size() > 1 && nanos - samples.peekFirst().nanos() > KEPT.toNanos()) {
            samples.remove();
        }
    }

    /** Forgets the log of another cluster. */
    void clear() {
        samples.clear();
    }

    /** How long ago the log stood at the first position that is not applied; at most the ten minutes that are kept. */
    Duration lag(long applied, long nanos) {
        for (Sample sample : samples) {
            if (sample.position() > applied) {
                return Duration.ofNanos(nanos - sample.nanos());
            }
        }
        return Duration.ZERO;
    }
}
