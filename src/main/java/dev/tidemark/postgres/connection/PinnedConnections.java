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

    private final Supplier<Future<PgConnection>> connect;
    private final Duration longestWait;
    private final Duration longestSilence;
    private final OldPlans oldPlans;
    private final String name;
    private final StatementMeters meters;
    private final List<PinnedConnection> all = new CopyOnWriteArrayList<>();

    private final FastThreadLocal<PinnedConnection> byThread = new FastThreadLocal<>();

    /** @param name the connections' name in metrics, which identifies the host */
    PinnedConnections(
            Supplier<Future<PgConnection>> connect,
            String name,
            Duration longestWait,
            Duration longestSilence,
            OldPlans oldPlans,
            MeterRegistry metrics) {
        this.connect = connect;
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        this.oldPlans = oldPlans;
        this.name = name;
        this.meters = new StatementMeters(metrics, name, this::inFlightCount);
        Gauge.builder("tidemark.pinned.open", this, PinnedConnections::openCount)
                .description("Open pinned connections, at most one for each event loop")
                .tag("connections", name)
                .register(metrics);
    }

    /**
     * @return the connection of the current event loop; {@code null} on a thread that is not an event loop's, or if
     *     the connection accepts no statements
     */
    @Nullable
    PinnedConnection ofEventLoop(@Nullable Context context) {
        if (context == null || !Contexts.isOnEventLoopOf(context)) {
            return null;
        }
        PinnedConnection own = byThread.get();
        if (own == null) {
            own = new PinnedConnection(Contexts.rootOf(context), connect, longestWait, longestSilence, oldPlans);
            byThread.set(own);
            all.add(own);
        }
        return own.tryOpen() ? own : null;
    }

    /** The connections' name in metrics. */
    String name() {
        return name;
    }

    StatementMeters meters() {
        return meters;
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
