package dev.tidemark.postgres.connection;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;

/** The connections to one host. */
public interface HostAccess {

    /**
     * Opens a separate connection for polls.
     *
     * @param idleTimeout the connection is closed when nothing has been sent or received for this long
     */
    Future<PgConnection> connectForPolls(Duration idleTimeout);

    /** Cuts all connections immediately, so that statements that wait for an answer are retried on another host. */
    void cut();
}
