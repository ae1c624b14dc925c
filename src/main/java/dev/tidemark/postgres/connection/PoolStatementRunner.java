package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.wire.OpenConnections;
import dev.tidemark.postgres.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.ContextInternal;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs statements over a pool; a statement that would wait too long for a connection is rejected immediately. */
final class PoolStatementRunner {

    /** Acquisitions up to this long count as immediate. */
    private static final Duration LONGEST_IMMEDIATE_WAIT = Duration.ofMillis(100);

    private final Pool pool;
    private final WaitLimiter limiter;
    private final Duration longestSilence;
    private final StatementMeters meters;
    private final OpenConnections connections = new OpenConnections();
    private final Set<Request<?>> waiting = ConcurrentHashMap.newKeySet();

    /** @param longestSilence a statement fails when it has waited this long for its answer */
    PoolStatementRunner(Pool pool, String name, WaitLimiter limiter, Duration longestSilence, MeterRegistry metrics) {
        this.pool = pool;
        this.limiter = limiter;
        this.longestSilence = longestSilence;
        this.meters = new StatementMeters(metrics, name, limiter::inFlightCount);
    }

    /** Runs one statement. Fails with a {@link ReadFailure}. */
    <T> Uni<T> query(String sql, Tuple values, RowReceiver<T> receiver) {
        return run(connection -> query(connection, sql, values, receiver))
                .onFailure()
                .transform(ReadFailures::logAndTranslate);
    }

    private static <T> Future<T> query(SqlConnection connection, String sql, Tuple values, RowReceiver<T> receiver) {
        Wire wire = Wire.of(connection);
        GuardedReceiver guarded = new GuardedReceiver(receiver);
        wire.setReceiver(receiver.acceptsWireRows() ? guarded : null);
        return connection
                .preparedQuery(sql)
                .collecting(receiver.collector())
                .execute(values)
                .map(SqlResult::value)
                .transform(answer -> {
                    // Before the connection is returned to the pool.
                    wire.setReceiver(null);
                    Throwable failure = guarded.failure() == null ? answer.cause() : guarded.failure();
                    return failure == null ? Future.succeededFuture(answer.result()) : Future.failedFuture(failure);
                });
    }

    /** Runs statements over one connection. Fails with the driver's failure, or with a {@link ReadFailure}. */
    <T> Uni<T> run(Function<SqlConnection, Future<T>> statements) {
        return Uni.createFrom().deferred(() -> {
            if (!limiter.tryEnter(1)) {
                meters.recordRejected();
                return Uni.createFrom().failure(ReadFailures.WAIT_TOO_LONG);
            }
            Request<T> request = new Request<>(statements);
            pool.withConnection(request::run).onComplete(request::end);
            return UniHelper.toUni(request.result.future())
                    .ifNoItem()
                    .after(longestSilence)
                    .failWith(request::timeOut);
        });
    }

    /**
     * Cuts the connections. Statements that wait for a connection fail immediately, with {@link
     * ClosedConnectionException}.
     */
    void cut() {
        waiting.forEach(Request::abandon);
        connections.cut();
    }

    /** The connections over which statements were run. */
    OpenConnections connections() {
        return connections;
    }

    /** The statements of one request. A request can be abandoned before it has a connection. */
    private final class Request<T> {

        private final long requestedAtNanos = System.nanoTime();
        private final Function<SqlConnection, Future<T>> statements;
        private final Promise<T> result;
        private volatile Wire wire;
        private volatile long startedAtNanos;
        private volatile boolean started;
        private volatile boolean abandoned;

        Request(Function<SqlConnection, Future<T>> statements) {
            this.statements = statements;
            ContextInternal context = ContextInternal.current();
            this.result = context == null ? Promise.promise() : context.promise();
            waiting.add(this);
        }

        Future<T> run(SqlConnection connection) {
            waiting.remove(this);
            return tryStart(connection)
                    ? statements.apply(connection)
                    : Future.failedFuture(ReadFailures.WAIT_TOO_LONG);
        }

        private synchronized boolean tryStart(SqlConnection connection) {
            if (!abandoned) {
                startedAtNanos = System.nanoTime();
                wire = connections.add(connection);
                started = true;
            }
            return started;
        }

        void end(AsyncResult<T> answer) {
            waiting.remove(this);
            wire = null;
            if (started) {
                limiter.recordAnswer();
                meters.recordAnswer(requestedAtNanos);
            } else {
                limiter.leave();
            }
            if (answer.succeeded()) {
                result.tryComplete(answer.result());
            } else {
                result.tryFail(answer.cause());
            }
        }

        /**
         * Fails the request with {@link ClosedConnectionException} if it is still waiting for a connection. If the
         * request gets a connection later, no statement is sent.
         */
        synchronized void abandon() {
            if (!started) {
                abandoned = true;
                result.tryFail(ClosedConnectionException.INSTANCE);
            }
        }

        /**
         * Ends the wait for the answer, and returns the failure. The wait needs a timeout because a silent database
         * does not enforce its statement timeout. If the statement was sent, its connection is cut, because it would
         * otherwise stay in the pool until the network times out. If the request waited for its connection, the
         * statement still gets its full timeout before the connection is cut.
         */
        synchronized ReadFailure timeOut() {
            abandoned = true;
            if (!started) {
                return limiter.hasNotAnsweredSince(requestedAtNanos) ? ReadFailures.SILENT : ReadFailures.WAIT_TOO_LONG;
            }
            long left = longestSilence.toNanos() - (System.nanoTime() - startedAtNanos);
            if (left > LONGEST_IMMEDIATE_WAIT.toNanos()) {
                Infrastructure.getDefaultWorkerPool().schedule(this::cut, left, TimeUnit.NANOSECONDS);
                return ReadFailures.WAIT_TOO_LONG;
            }
            cut();
            return ReadFailures.SILENT;
        }

        /** Cuts the connection, unless the statement has ended. */
        private void cut() {
            Wire silent = wire;
            if (silent != null) {
                silent.cut();
            }
        }
    }
}
