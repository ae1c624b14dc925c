package dev.tidemark.postgres.connection;

import dev.tidemark.paging.Floor;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import java.util.Optional;

/** Runs queries on a database of one host, or of several. */
public interface QueryRunner {

    /**
     * The result of a query.
     *
     * @param floor a state of the database that includes what the query has read; empty if the database has a single
     *     host
     */
    record Result<T>(T value, Optional<Floor> floor) {}

    /**
     * Runs a query. Fails with the driver's failure, or with a {@link dev.tidemark.feed.read.ReadFailure} if the query
     * would wait too long or the host is silent. The handler runs in the caller's context, if there is one.
     */
    <T> void run(Query<T> query, Handler<AsyncResult<Result<T>>> handler);
}
