package dev.tidemark.postgres.hosts;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;

/** The connections to one host. */
public interface HostAccess {

    /** Opens one more connection. */
    Future<PgConnection> connect();

    /** Cuts all connections at once, so that statements which wait for an answer are read elsewhere. */
    void cut();
}
