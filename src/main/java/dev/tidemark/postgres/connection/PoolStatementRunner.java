package dev.tidemark.postgres.connection;

import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.framework.Contexts;
import dev.tidemark.postgres.connection.QueryRunner.Result;
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
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
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
import org.jspecify.annotations.Nullable;

/** Runs statements over a pool; a statement that would wait too long for a connection is rejected immediately. */
final class PoolStatementRunner {

    /** Acquisitions up to this long count as immediate. */
    private static final Duration LONGEST_IMMEDIATE_WAIT = Duration.ofMillis(100);

    private final Pool pool;
    private final WaitLimiter limiter;
    private final Duration longestSilence;
    private final OldPlans oldPlans;
    private final StatementMeters meters;
    private final MeterRegistry metrics;
    private final String name;
    private final boolean replacesPinned;
    private final OpenConnections connections = new OpenConnections();
    private final Set<PooledExecution<?>> waiting = ConcurrentHashMap.newKeySet();
    private final Map<TableReads, TableLoad> tables = new ConcurrentHashMap<>();
    private final Set<String> listTables = ConcurrentHashMap.newKeySet();
    private final int size;
    private final int maxWaiting;
    private final Duration longestWait;

    /**
     * @param size the largest number of connections of the pool
     * @param maxWaiting the number of waiting statements at which further ones are rejected
     * @param longestWait a statement that waits longer for other statements of its tables is rejected if one of these
     *     is locked
     * @param longestSilence a statement fails when it has waited this long for its answer
     * @param replacesPinned whether the pool runs statements that are too slow for pinned connections
     */
    PoolStatementRunner(
            Pool pool,
            String name,
            int size,
            int maxWaiting,
            Duration longestWait,
            Duration longestSilence,
            boolean replacesPinned,
            OldPlans oldPlans,
            MeterRegistry metrics) {
        this.pool = pool;
        this.size = size;
        this.maxWaiting = maxWaiting;
        this.limiter = new WaitLimiter(longestWait, size, size, size + maxWaiting);
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        this.oldPlans = oldPlans;
        this.replacesPinned = replacesPinned;
        this.metrics = metrics;
        this.name = name;
        this.meters = new StatementMeters(metrics, name, this::inFlightCount);
    }

    int inFlightCount() {
        return tables.values().stream().mapToInt(TableLoad::inFlightCount).sum();
    }

    private TableLoad load(TableReads reads) {
        TableLoad load = tables.get(reads);
        return load == null ? tables.computeIfAbsent(reads, this::newLoad) : load;
    }

    private TableLoad newLoad(TableReads reads) {
        if (!reads.isEmpty()) {
            listTables.add(reads.listTable());
        }
        TableLoad load = new TableLoad(reads.lock(), size, maxWaiting, longestWait, () -> listTables.size() <= 1);
        if (!reads.isEmpty()) {
            load.setMeters(new TableMeters(metrics, reads.names(), name, load));
        }
        return load;
    }

    /**
     * Sends the statements of an execution over one connection. Fails with the driver's failure, or with a {@link
     * ReadFailure}. The handler runs in the caller's context, if there is one.
     */
    <T> void run(Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
        new PooledExecution<>(execution, handler).enter();
    }

    /**
     * Cuts the connections. Statements that wait for a connection fail immediately, with {@link
     * ClosedConnectionException}.
     */
    void cut() {
        waiting.forEach(PooledExecution::abandon);
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
    private final class PooledConnection implements Execution.Connection {

        private final SqlConnection connection;
        private final Wire wire;
        private Future<?> previousAnswer = Future.succeededFuture();

        PooledConnection(SqlConnection connection, Wire wire) {
            this.connection = connection;
            this.wire = wire;
        }

        @Override
        public <T> void send(
                Execution<?> sent,
                String sql,
                Tuple values,
                RowReceiver<T> receiver,
                Handler<AsyncResult<SqlResult<T>>> handler) {
            previousAnswer = previousAnswer
                    .transform(previous -> execute(sql, values, receiver))
                    .onComplete(handler);
        }

        private <T> Future<SqlResult<T>> execute(String sql, Tuple values, RowReceiver<T> receiver) {
            oldPlans.discardFrom(connection, wire);
            GuardedReceiver guarded = new GuardedReceiver(receiver);
            wire.setReceiver(receiver.acceptsWireRows() ? guarded : null);
            SessionGuard guard = SessionGuard.of(wire);
            // The rows of pages reach the receiver through RowTap, and the collector only returns the result.
            return connection
                    .preparedQuery(guard == null ? sql : guard.guard(sql, values))
                    .collecting(receiver.collector())
                    .execute(guard == null ? values : guard.guard(values))
                    .transform(answer -> {
                        // Before the connection is returned to the pool.
                        wire.setReceiver(null);
                        if (guard != null && guard.isLost(answer.cause())) {
                            wire.cut();
                            SharedSessionException lost = new SharedSessionException();
                            ReadFailures.logUnprepared(lost);
                            return Future.failedFuture(lost);
                        }
                        Throwable failure = guarded.failure() == null ? answer.cause() : guarded.failure();
                        return failure == null ? Future.succeededFuture(answer.result()) : Future.failedFuture(failure);
                    });
        }
    }

    /** One execution. It can be abandoned before it has a connection. */
    private final class PooledExecution<T> implements TableLoad.Waiting {

        private final long requestedAtNanos = System.nanoTime();
        private final TableLoad table;
        private final Execution<T> execution;
        private final @Nullable Context context = Contexts.current();
        private final Promise<Result<T>> result;

        @SuppressWarnings("NullAway.Init") // enter() sets it.
        private volatile ScheduledFuture<?> timeout;

        private volatile @Nullable Wire wire;
        private volatile long startedAtNanos;
        private volatile boolean started;
        private volatile boolean abandoned;

        PooledExecution(Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
            this.table = load(execution.tables());
            this.execution = execution;
            this.result = Contexts.promise();
            result.future().onComplete(handler);
        }

        void enter() {
            waiting.add(this);
            timeout = schedule(this::timeOut, longestSilence);
            switch (table.enter(this)) {
                case RUN -> start();
                case WAIT -> schedule(this::stopWaitingForLock, longestWait);
                case REJECT -> reject(ReadFailures.WAIT_TOO_LONG);
                case REJECT_LOCKED -> rejectLocked();
            }
        }

        private static ScheduledFuture<?> schedule(Runnable task, Duration delay) {
            return Infrastructure.getDefaultWorkerPool().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        /** If no lock is suspected, the whole host may be silent, and the timeout of the statement applies. */
        private void stopWaitingForLock() {
            if (table.lock().isSuspected() && table.stopWaiting(this)) {
                rejectLocked();
            }
        }

        @Override
        public void rejectLocked() {
            reject(ReadFailures.LOCKED);
        }

        private void recordRejected(ReadFailure failure) {
            meters.recordRejected();
            table.recordRejected(failure == ReadFailures.LOCKED);
        }

        private void reject(ReadFailure failure) {
            end();
            recordRejected(failure);
            result.tryFail(failure);
        }

        @Override
        public void admit() {
            if (context == null) {
                start();
            } else {
                context.runOnContext(here -> start());
            }
        }

        private void start() {
            if (limiter.tryEnter(1)) {
                pool.withConnection(this::sendOver).onComplete(this::end);
            } else {
                table.leave();
                reject(ReadFailures.WAIT_TOO_LONG);
            }
        }

        private Future<Result<T>> sendOver(SqlConnection connection) {
            waiting.remove(this);
            Promise<Result<T>> answer = Promise.promise();
            if (tryStart(connection)) {
                execution.sendOver(new PooledConnection(connection, Objects.requireNonNull(wire)), answer);
            } else {
                answer.fail(ReadFailures.WAIT_TOO_LONG);
            }
            return answer.future();
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
            if (Failures.isLockTimeout(answer.cause())) {
                table.lock().lock();
                table.leave();
                limiter.leave();
                recordRejected(ReadFailures.LOCKED);
                result.tryFail(ReadFailures.LOCKED);
                return;
            }
            if (started) {
                if (answer.succeeded() || Failures.isFailedWithoutLock(answer.cause())) {
                    table.lock().recordAnswer();
                }
                if (replacesPinned && answer.succeeded()) {
                    execution.tables().pinned().recordTimeOfPool(System.nanoTime() - startedAtNanos);
                }
                table.recordAnswer();
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
         * Fails the execution with {@link ClosedConnectionException} if it is still waiting for a connection. If it
         * gets a connection later, no statement is sent.
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
         * pool until the network times out. If the execution waited for its connection, the statement still gets its
         * full timeout before the connection is cut.
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
                // Before the driver fails the statement, because its connection has been closed.
                result.tryFail(ReadFailures.SILENT);
                cut();
            }
        }

        private void giveUp() {
            abandoned = true;
            if (table.stopWaiting(this)) {
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
