package dev.tidemark.postgres.wire;

import dev.tidemark.postgres.rows.WireRowReceiver;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network connection under a connection of the driver, with operations that the driver's API does not offer. Two
 * wires of the same network connection are equal.
 *
 * <p>{@link #installPinnedHandlers} is used only for pinned connections. With {@code tidemark.pipelined=false}, there
 * are none. {@link #setReceiver} is used only for pooled connections, which run one statement at a time.
 */
public interface Wire {

    static Wire of(SqlConnection connection) {
        return NettyWire.of(connection);
    }

    /**
     * Closes the network connection at once, which fails the statements in flight. The driver's own close waits for
     * their answers, so it never ends while the server is silent.
     */
    void cut();

    void onClose(Runnable listener);

    /** Records the name of a session that a pooler can give to others. */
    void setSession(String name);

    /** @return {@code null} if no name was recorded */
    @Nullable
    String session();

    /** Records that the session has no plan older than this {@link System#nanoTime}. */
    void setPlannedNanos(long nanos);

    /** @return {@code null} if no time was recorded */
    @Nullable
    Long plannedNanos();

    /**
     * Lets statements in flight fail at once, and the connection close, when an error has arrived that the driver
     * takes for the end of the session. Must be called once, on the connection's event loop, before the first
     * statement.
     */
    void endOnFatalError();

    /**
     * Installs handlers that take rows out of the stream before the driver decodes them, and that send the statements
     * of one turn of the event loop in one write. Must be called once, on the connection's event loop, before the
     * first statement.
     *
     * @param currentReceiver returns the receiver for rows of the statement that is being answered; {@code null} if
     *     the driver must decode them
     */
    void installPinnedHandlers(Supplier<WireRowReceiver> currentReceiver);

    /**
     * Takes the rows of the statement that is sent next out of the stream. All other messages reach the driver one by
     * one. Otherwise, the driver would buffer all that arrives faster than it decodes it, which can be a whole page of
     * large rows.
     *
     * @param receiver {@code null} if the driver must decode the rows
     */
    void setReceiver(@Nullable WireRowReceiver receiver);
}
