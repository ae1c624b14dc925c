package dev.tidemark.postgres.connection;

import dev.tidemark.framework.Contexts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.FastThreadLocal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The {@link PinnedConnection}s to one host, one for each event loop that reads pages. */
final class PinnedConnections {

    /** The start of the connections' name in metrics. */
    static final String NAME = "pinned";

    private final Supplier<Future<PgConnection>> connect;
    private final Duration longestWait;
    private final Duration longestSilence;
    private final StatementMeters meters;
    private final List<PinnedConnection> all = new CopyOnWriteArrayList<>();

    private final FastThreadLocal<PinnedConnection> byThread = new FastThreadLocal<>();

    /** @param suffix the end of the connections' name in metrics, which identifies the host */
    PinnedConnections(
            Supplier<Future<PgConnection>> connect,
            String suffix,
            Duration longestWait,
            Duration longestSilence,
            MeterRegistry metrics) {
        this.connect = connect;
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        this.meters = new StatementMeters(metrics, NAME + suffix, this::inFlightCount);
        Gauge.builder("tidemark.pinned.open", this, PinnedConnections::openCount)
                .description("Open pinned connections, at most one for each event loop")
                .tag("connections", NAME + suffix)
                .register(metrics);
    }

    /**
     * @return the connection of the current event loop; {@code null} on a thread that is not an event loop's, or if the
     *     connection accepts no statements
     */
    @Nullable
    PinnedConnection ofEventLoop(@Nullable Context context) {
        if (context == null || !Contexts.isOnEventLoopOf(context)) {
            return null;
        }
        PinnedConnection own = byThread.get();
        if (own == null) {
            own = new PinnedConnection(Contexts.rootOf(context), connect, longestWait, longestSilence);
            byThread.set(own);
            all.add(own);
        }
        return own.tryOpen() ? own : null;
    }

    /**
     * Records the time of a statement, or that the statement was rejected.
     *
     * @param failure {@code null} if the statement succeeded
     */
    void record(long startNanos, Throwable failure) {
        if (failure == ReadFailures.WAIT_TOO_LONG) {
            meters.recordRejected();
        } else {
            meters.recordAnswer(startNanos);
        }
    }

    /** The number of event loops that have used their connection. */
    int count() {
        return all.size();
    }

    /** Closes all connections. */
    void close() {
        all.forEach(PinnedConnection::close);
    }

    private int inFlightCount() {
        return all.stream().mapToInt(PinnedConnection::inFlightCount).sum();
    }

    private long openCount() {
        return all.stream().filter(PinnedConnection::isConnected).count();
    }
}
