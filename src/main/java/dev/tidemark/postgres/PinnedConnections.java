package dev.tidemark.postgres;

import io.netty.util.concurrent.FastThreadLocal;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A {@link PinnedConnection} for each event loop that asks for one. */
final class PinnedConnections {

    private final Supplier<Future<PgConnection>> connect;
    private final Duration longestWait;
    private final Duration longestSilence;
    private final List<PinnedConnection> all = new CopyOnWriteArrayList<>();

    private final FastThreadLocal<PinnedConnection> ofThread = new FastThreadLocal<>();

    PinnedConnections(Supplier<Future<PgConnection>> connect, Duration longestWait, Duration longestSilence) {
        this.connect = connect;
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
    }

    /** @return the connection of this thread, if it is an event loop's and the connection is open; else {@code null} */
    PinnedConnection here(ContextInternal context) {
        if (context == null || !context.isEventLoopContext() || !context.inThread()) {
            return null;
        }
        PinnedConnection mine = ofThread.get();
        if (mine == null) {
            mine = new PinnedConnection(context.unwrap(), connect, longestWait, longestSilence);
            ofThread.set(mine);
            all.add(mine);
        }
        return mine.isOpen() ? mine : null;
    }

    /** Statements that wait for their answers, by and large: each connection is counted by a thread that is not its own. */
    int inFlight() {
        return all.stream().mapToInt(PinnedConnection::inFlight).sum();
    }

    long open() {
        return all.stream().filter(PinnedConnection::isConnected).count();
    }
}
