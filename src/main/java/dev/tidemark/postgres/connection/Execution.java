package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.connection.Database.Result;
import dev.tidemark.postgres.rows.RowReceiver;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;

/** One execution of a read on one host: the statements to send over one connection, and the result to make of them. */
interface Execution<T> {

    /** A connection, pinned or from a pool. Answers arrive in the order of the statements. */
    interface Connection {
        <T> void send(String sql, Tuple values, RowReceiver<T> receiver, Handler<AsyncResult<SqlResult<T>>> handler);
    }

    /** The number of statements that {@link #send} sends. */
    int statementCount();

    /** @param handler called when all statements have ended */
    void send(Connection connection, Handler<AsyncResult<Result<T>>> handler);

    /** Whether the read can be run again, because no row that was received has had a side effect. */
    boolean isRetryable();

    /**
     * Ignores all later rows. Called when the execution has failed: rows of a connection that was abandoned can still
     * arrive while another host runs the statement. On a single host, a pinned connection that was abandoned passes no
     * rows on, and a statement of a pool is not repeated.
     */
    default void ignoreFurtherRows() {}
}
