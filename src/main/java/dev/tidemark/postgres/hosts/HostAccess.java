package dev.tidemark.postgres.hosts;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;

/** The connections to one host. */
public interface HostAccess {

    /**
     * Opens one more connection.
     *
     * @param longestSilence it is closed when nothing has arrived for this long
     */
    Future<PgConnection> watch(Duration longestSilence);

    /** Cuts all connections at once, so that statements which wait for an answer are read elsewhere. */
    void cut();
}
