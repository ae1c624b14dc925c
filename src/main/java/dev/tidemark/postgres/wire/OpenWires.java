package dev.tidemark.postgres.wire;

import io.netty.channel.EventLoopGroup;
import io.netty.util.AttributeKey;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** All connections to the database, so that a stop need not wait for those whose server is silent. Thread-safe. */
public final class OpenWires {

    private static final AttributeKey<Boolean> KNOWN = AttributeKey.valueOf(OpenWires.class, "known");

    private final Set<Wire> open = ConcurrentHashMap.newKeySet();

    /** Of a connection that is known already, nothing but its wire. */
    public Wire add(SqlConnection connection) {
        Wire wire = Wire.of(connection);
        if (wire.channel().attr(KNOWN).setIfAbsent(true) == null) {
            open.add(wire);
            wire.channel().closeFuture().addListener(closed -> open.remove(wire));
        }
        return wire;
    }

    /** Gives them the time to end by themselves. */
    public void cutAfter(Duration time, EventLoopGroup loops) {
        loops.schedule(() -> open.forEach(Wire::cut), time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
