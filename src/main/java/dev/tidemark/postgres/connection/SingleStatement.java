package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.connection.Database.Result;
import dev.tidemark.postgres.rows.RowReceiver;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/** A statement that is sent alone, as on a single host. */
record SingleStatement<T>(String sql, Tuple values, RowReceiver<T> receiver) implements Execution<T> {

    @Override
    public int statementCount() {
        return 1;
    }

    @Override
    public void send(Connection connection, Handler<AsyncResult<Result<T>>> handler) {
        connection.send(
                sql,
                values,
                receiver,
                answer -> handler.handle(
                        answer.succeeded()
                                ? Future.succeededFuture(
                                        new Result<>(answer.result().value(), Optional.empty()))
                                : Future.failedFuture(answer.cause())));
    }

    @Override
    public boolean isRetryable() {
        return receiver.isRetryable();
    }
}
