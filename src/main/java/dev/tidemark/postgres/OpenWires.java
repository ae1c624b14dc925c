package dev.tidemark.postgres;

import io.netty.channel.EventLoopGroup;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** All connections to the database, so that a stop need not wait for those whose server is silent. Thread-safe. */
final class OpenWires {

    private final Set<Wire> open = ConcurrentHashMap.newKeySet();

    void add(SqlConnection connection) {
        Wire wire = Wire.of(connection);
        open.add(wire);
        wire.channel().closeFuture().addListener(closed -> open.remove(wire));
    }

    /** Gives them the time to end by themselves. */
    void cutAfter(Duration time, EventLoopGroup loops) {
        loops.schedule(() -> open.forEach(Wire::cut), time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
