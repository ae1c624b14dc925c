package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.framework.Contexts;
import dev.tidemark.postgres.connection.Database.Result;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.wire.OpenConnections;
import dev.tidemark.postgres.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs statements over a pool; a statement that would wait too long for a connection is rejected immediately. */
final class PoolStatementRunner {

    /** Acquisitions up to this long count as immediate. */
    private static final Duration LONGEST_IMMEDIATE_WAIT = Duration.ofMillis(100);

    /** Whether a session waits for a lock. Behind a pooler such as PgBouncer, no session has the process id. */
    private static final String WAITS_FOR_LOCK =
            "SELECT wait_event_type = 'Lock' AND wait_event = 'relation' FROM pg_catalog.pg_stat_activity"
                    + " WHERE pid = $1::text::int4";

    private static final Collector<Row, ?, Boolean> ANY =
            Collectors.reducing(false, row -> Boolean.TRUE.equals(row.getBoolean(0)), Boolean::logicalOr);

    private final Pool pool;
    private final WaitLimiter limiter;
    private final Duration longestSilence;
    private final StatementMeters meters;
    private final OpenConnections connections = new OpenConnections();
    private final Set<Request<?>> waiting = ConcurrentHashMap.newKeySet();
    private final Map<String, TableLoad> tables = new ConcurrentHashMap<>();
    private final int size;
    private final int maxWaiting;
    private final Duration longestWait;

    /**
     * @param size the largest number of connections of the pool
     * @param maxWaiting the number of waiting statements at which further ones are rejected
     * @param longestWait a statement that waits longer for other statements of its table is rejected
     * @param longestSilence a statement fails when it has waited this long for its answer
     */
    PoolStatementRunner(
            Pool pool,
            String name,
            int size,
            int maxWaiting,
            Duration longestWait,
            Duration longestSilence,
            MeterRegistry metrics) {
        this.pool = pool;
        this.size = size;
        this.maxWaiting = maxWaiting;
        this.limiter = new WaitLimiter(longestWait, size, size, size + maxWaiting);
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        this.meters = new StatementMeters(metrics, name, this::inFlightCount);
    }

    int inFlightCount() {
        return tables.values().stream().mapToInt(TableLoad::inFlightCount).sum();
    }

    /** Returns the load of a table on this pool. */
    TableLoad load(String table) {
        TableLoad load = tables.get(table);
        return load == null ? tables.computeIfAbsent(table, name -> newLoad()) : load;
    }

    private TableLoad newLoad() {
        return new TableLoad(size, maxWaiting, longestWait, () -> tables.size() <= (tables.containsKey("") ? 2 : 1));
    }

    /**
     * Sends the statements of an execution over one connection. Fails with the driver's failure, or with a {@link
     * ReadFailure}. The handler runs in the caller's context, if there is one.
     */
    <T> void run(TableLoad table, Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
        new Request<>(table, execution, handler).enter();
    }

    /**
     * Cuts the connections. Statements that wait for a connection fail immediately, with {@link
     * ClosedConnectionException}.
     */
    void cut() {
        waiting.forEach(Request::abandon);
        connections.cut();
    }

    Pool pool() {
        return pool;
    }

    /** The connections over which statements were run. */
    OpenConnections connections() {
        return connections;
    }

    /**
     * Sends each statement when the previous one has been answered, because {@link Wire#setReceiver} sets the receiver
     * of the next rows.
     */
    private static final class PooledConnection implements Execution.Connection {

        private final SqlConnection connection;
        private final Wire wire;
        private Future<?> previousAnswer = Future.succeededFuture();

        PooledConnection(SqlConnection connection, Wire wire) {
            this.connection = connection;
            this.wire = wire;
        }

        @Override
        public <T> void send(
                String sql, Tuple values, RowReceiver<T> receiver, Handler<AsyncResult<SqlResult<T>>> handler) {
            previousAnswer = previousAnswer
                    .transform(previous -> execute(sql, values, receiver))
                    .onComplete(handler);
        }

        private <T> Future<SqlResult<T>> execute(String sql, Tuple values, RowReceiver<T> receiver) {
            GuardedReceiver guarded = new GuardedReceiver(receiver);
            wire.setReceiver(receiver.acceptsWireRows() ? guarded : null);
            return connection
                    .preparedQuery(sql)
                    .collecting(receiver.collector())
                    .execute(values)
                    .transform(answer -> {
                        // Before the connection is returned to the pool.
                        wire.setReceiver(null);
                        Throwable failure = guarded.failure() == null ? answer.cause() : guarded.failure();
                        return failure == null ? Future.succeededFuture(answer.result()) : Future.failedFuture(failure);
                    });
        }
    }

    /** One execution. It can be abandoned before it has a connection. */
    private final class Request<T> {

        private final long requestedAtNanos = System.nanoTime();
        private final TableLoad table;
        private final Execution<T> execution;
        private final Runnable turn = this::onTurn;
        private final @Nullable Context context = Contexts.current();
        private final Promise<Result<T>> result;

        @SuppressWarnings("NullAway.Init") // enter() sets it.
        private volatile ScheduledFuture<?> timeout;

        private volatile @Nullable Wire wire;
        private volatile long startedAtNanos;
        private volatile boolean started;
        private volatile boolean locked;
        private volatile boolean abandoned;

        Request(TableLoad table, Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
            this.table = table;
            this.execution = execution;
            this.result = Contexts.promise();
            result.future().onComplete(handler);
        }

        void enter() {
            waiting.add(this);
            timeout = schedule(this::timeOut, longestSilence);
            switch (table.enter(turn)) {
                case RUN -> start();
                case WAIT -> schedule(this::stopWaitingForSlowTable, longestWait);
                case REJECT -> reject();
            }
        }

        private static ScheduledFuture<?> schedule(Runnable task, Duration delay) {
            return Infrastructure.getDefaultWorkerPool().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        /** If the table is not known to be slow, the whole host may be silent, and the timeout of the statement applies. */
        private void stopWaitingForSlowTable() {
            if (table.isSlow() && table.stopWaiting(turn)) {
                reject();
            }
        }

        private void reject() {
            end();
            meters.recordRejected();
            result.tryFail(ReadFailures.WAIT_TOO_LONG);
        }

        private void onTurn() {
            if (context == null) {
                start();
            } else {
                context.runOnContext(here -> start());
            }
        }

        private void start() {
            if (limiter.tryEnter(1)) {
                pool.withConnection(this::send).onComplete(this::end);
            } else {
                table.leave();
                reject();
            }
        }

        private Future<Result<T>> send(SqlConnection connection) {
            waiting.remove(this);
            Promise<Result<T>> answer = Promise.promise();
            if (tryStart(connection)) {
                execution.send(new PooledConnection(connection, Objects.requireNonNull(wire)), answer);
                if (table.isSlow()) {
                    schedule(() -> rejectIfLocked(connection), longestWait);
                }
            } else {
                answer.fail(ReadFailures.WAIT_TOO_LONG);
            }
            return answer.future();
        }

        /** Gives up the statement if its session waits for a lock. The statement's connection is not used again. */
        private void rejectIfLocked(SqlConnection connection) {
            PgConnection session = PgConnection.cast(connection);
            if (wire == null) {
                return;
            }
            new Request<Boolean>(
                            load(""),
                            new SingleStatement<>(
                                    WAITS_FOR_LOCK,
                                    Tuple.of(Integer.toString(session.processId())),
                                    RowReceiver.of(ANY)),
                            answer -> {
                                if (answer.succeeded()
                                        && answer.result().value()
                                        && result.tryFail(ReadFailures.WAIT_TOO_LONG)) {
                                    locked = true;
                                    table.markLocked();
                                    meters.recordRejected();
                                    session.cancelRequest();
                                    cut();
                                }
                            })
                    .enter();
        }

        private synchronized boolean tryStart(SqlConnection connection) {
            if (!abandoned) {
                startedAtNanos = System.nanoTime();
                wire = connections.add(connection);
                started = true;
            }
            return started;
        }

        private void end() {
            timeout.cancel(false);
            waiting.remove(this);
        }

        private void end(AsyncResult<Result<T>> answer) {
            end();
            wire = null;
            if (locked) {
                table.leave();
                limiter.leave();
            } else if (started) {
                table.recordAnswer(startedAtNanos);
                limiter.recordAnswer();
                meters.recordAnswer(requestedAtNanos);
            } else {
                table.leave();
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
                giveUp();
                result.tryFail(ClosedConnectionException.INSTANCE);
            }
        }

        /**
         * Ends the wait for the answer. The wait needs a timeout because a silent database does not enforce its
         * statement timeout. If the statement was sent, its connection is cut, because it would otherwise stay in the
         * pool until the network times out. If the request waited for its connection, the statement still gets its full
         * timeout before the connection is cut.
         */
        private synchronized void timeOut() {
            if (!started) {
                giveUp();
                result.tryFail(
                        limiter.hasNotAnsweredSince(requestedAtNanos)
                                ? ReadFailures.SILENT
                                : ReadFailures.WAIT_TOO_LONG);
                return;
            }
            long left = longestSilence.toNanos() - (System.nanoTime() - startedAtNanos);
            if (left > LONGEST_IMMEDIATE_WAIT.toNanos()) {
                schedule(this::cut, Duration.ofNanos(left));
                result.tryFail(ReadFailures.WAIT_TOO_LONG);
            } else {
                cut();
                result.tryFail(ReadFailures.SILENT);
            }
        }

        private void giveUp() {
            abandoned = true;
            if (table.stopWaiting(turn)) {
                end();
            }
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
