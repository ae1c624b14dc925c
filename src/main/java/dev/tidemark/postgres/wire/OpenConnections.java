package dev.tidemark.postgres.wire;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Tracks open connections to the database, to cut them if the server is silent, and at shutdown. Thread-safe. */
public final class OpenConnections {

    private static final Logger LOG = Logger.getLogger(OpenConnections.class);

    private final Set<Wire> open = ConcurrentHashMap.newKeySet();

    /** Adds the connection if it is new, and returns its wire. */
    public Wire add(SqlConnection connection) {
        // By default, the driver prints failures to standard error. The failures also reach the statements and the
        // close handlers.
        connection.exceptionHandler(failure -> LOG.debug("A connection to the database failed", failure));
        Wire wire = Wire.of(connection);
        if (open.add(wire)) {
            wire.onClose(() -> open.remove(wire));
        }
        return wire;
    }

    /** Cuts all connections that are open. */
    public void cut() {
        open.forEach(Wire::cut);
    }

    /** Cuts the connections that are still open after a delay. */
    @SuppressWarnings("deprecation") // Vert.x 4 has no other scheduler that outlives it.
    public void cutAfter(Duration delay, Vertx vertx) {
        // This is not a Vert.x timer, because Vert.x may be closed by then.
        vertx.nettyEventLoopGroup().schedule(this::cut, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
