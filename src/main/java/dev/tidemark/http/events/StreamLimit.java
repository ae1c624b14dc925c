package dev.tidemark.http.events;

import dev.tidemark.http.problem.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** The maximum number of open event streams of one kind in this process, and the pace of their heartbeats. */
public final class StreamLimit {

    private final int maxStreams;
    private final Duration heartbeat;
    private final Problem tooMany;
    private final Semaphore permits;

    /**
     * @param heartbeat the interval between comments that keep proxies from closing a connection as idle
     * @param tooMany the problem of a stream beyond the maximum
     */
    public StreamLimit(int maxStreams, Duration heartbeat, Problem tooMany) {
        this.maxStreams = maxStreams;
        this.heartbeat = heartbeat;
        this.tooMany = tooMany;
        this.permits = new Semaphore(maxStreams);
    }

    /** Registers a gauge of the number of open streams, and returns this limit. */
    public StreamLimit withGauge(String name, String description, MeterRegistry metrics) {
        Gauge.builder(name, this, limit -> limit.maxStreams - limit.permits.availablePermits())
                .description(description)
                .register(metrics);
        return this;
    }

    Duration heartbeat() {
        return heartbeat;
    }

    /** @throws Problem if the maximum number of streams is open */
    void acquire() {
        if (!permits.tryAcquire()) {
            throw tooMany;
        }
    }

    void release() {
        permits.release();
    }
}
