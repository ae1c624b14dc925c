package dev.tidemark.http.events;

import dev.tidemark.http.edge.ClientShares;
import dev.tidemark.http.problem.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;

/** The maximum number of open event streams of one kind in this process, and the pace of their heartbeats. */
public final class StreamLimit {

    private final Duration heartbeat;
    private final Problem tooMany;
    private final Problem displaced;
    private final ClientShares<EventStream> shares;

    /**
     * @param shares the maximum number of streams, which clients share
     * @param heartbeat the interval between comments that keep proxies from closing a connection as idle
     * @param tooMany the problem of a stream beyond the maximum
     * @param displaced the problem of a stream that makes room for another client
     */
    public StreamLimit(ClientShares<EventStream> shares, Duration heartbeat, Problem tooMany, Problem displaced) {
        this.shares = shares;
        this.heartbeat = heartbeat;
        this.tooMany = tooMany;
        this.displaced = displaced;
    }

    /** Registers a gauge of the number of open streams, and returns this limit. */
    public StreamLimit withGauge(String name, String description, MeterRegistry metrics) {
        Gauge.builder(name, shares, ClientShares::size).description(description).register(metrics);
        return this;
    }

    Duration heartbeat() {
        return heartbeat;
    }

    /** The problem of a stream that makes room for another client. */
    Problem displaced() {
        return displaced;
    }

    /**
     * @param displace ends a stream that makes room
     * @throws Problem if the maximum number of streams is open, and no other client has more
     */
    void acquire(String client, EventStream stream, Consumer<EventStream> displace) {
        if (!shares.tryAdmit(client, stream, displace)) {
            throw tooMany;
        }
    }

    void release(EventStream stream) {
        shares.remove(stream);
    }
}
