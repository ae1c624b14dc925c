package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.rows.RowReceiver;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/**
 * One execution of a query on one host: what is sent over one connection, and the result that is made of the answers.
 * Here this is the query alone. With several hosts, {@code LogPositionBracket} sends two more statements around it.
 */
public class Execution<T> {

    /** A connection, pinned or from a pool. Answers arrive in the order of the statements. */
    public interface Connection {
        /**
         * Sends one statement to PostgreSQL.
         *
         * @param execution what the statement belongs to
         */
        <T> void send(
                Execution<?> execution,
                String sql,
                Tuple values,
                RowReceiver<T> receiver,
                Handler<AsyncResult<SqlResult<T>>> handler);
    }

    protected final String sql;
    protected final Tuple values;
    protected final RowReceiver<T> receiver;
    private final TableReads tables;

    Execution(TableReads tables, String sql, Tuple values, RowReceiver<T> receiver) {
        this.tables = tables;
        this.sql = sql;
        this.values = values;
        this.receiver = receiver;
    }

    /** For an execution that sends other statements too. */
    protected Execution(Execution<T> other) {
        this(other.tables, other.sql, other.values, other.receiver);
    }

    /** The number of statements that {@link #sendOver} sends. */
    protected int statementCount() {
        return 1;
    }

    /**
     * Sends the statements by calling {@link Connection#send} for each: here, for the query.
     *
     * @param handler called when all statements have ended
     */
    protected void sendOver(Connection connection, Handler<AsyncResult<Result<T>>> handler) {
        connection.send(
                this,
                sql,
                values,
                receiver,
                answer -> handler.handle(
                        answer.succeeded()
                                ? Future.succeededFuture(
                                        new Result<>(answer.result().value(), Optional.empty()))
                                : Future.failedFuture(answer.cause())));
    }

    /** Whether the query can be run again, because no row that was received has had a side effect. */
    public boolean isRetryable() {
        return receiver.isRetryable();
    }

    final TableReads tables() {
        return tables;
    }
}
