package dev.tidemark.http.events;

import dev.tidemark.http.problem.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** The maximum number of open event streams of one kind in this process, and the pace of their heartbeats. */
public final class StreamLimit {

    private final int max;
    private final Semaphore free;
    private final Duration heartbeat;
    private final Problem tooMany;

    /**
     * @param max the maximum number of streams
     * @param heartbeat the interval between comments that keep proxies from closing a connection as idle
     * @param tooMany the problem of a stream beyond the maximum
     */
    public StreamLimit(int max, Duration heartbeat, Problem tooMany) {
        this.max = max;
        this.free = new Semaphore(max);
        this.heartbeat = heartbeat;
        this.tooMany = tooMany;
    }

    /** Registers a gauge of the number of open streams, and returns this limit. */
    public StreamLimit withGauge(String name, String description, MeterRegistry metrics) {
        Gauge.builder(name, () -> max - free.availablePermits())
                .description(description)
                .register(metrics);
        return this;
    }

    Duration heartbeat() {
        return heartbeat;
    }

    /**
     * Must be followed by {@link #release} when the stream ends.
     *
     * @throws Problem if the maximum number of streams is open
     */
    void acquire() {
        if (!free.tryAcquire()) {
            throw tooMany;
        }
    }

    void release() {
        free.release();
    }
}
