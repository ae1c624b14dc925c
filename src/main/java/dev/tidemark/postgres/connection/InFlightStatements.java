package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.WireRowReceiver;
import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlResult;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one connection that await their answers. Not thread-safe.
 *
 * <p>The driver sends statements in the order in which it gets them; while it prepares one, it holds back the next.
 * There is one exception: if a statement gets a value for a parameter that its SQL does not use, PostgreSQL cannot
 * infer the type of this parameter, and the driver sends the statement again, after later statements.
 */
final class InFlightStatements {

    private final ArrayDeque<InFlight<?>> sent = new ArrayDeque<>();
    private final WaitLimiter limiter;
    private final Runnable onBlocked;
    private final Runnable onOutOfOrder;
    private long lastAnswerNanos = System.nanoTime();

    /**
     * @param limiter has accepted the statements
     * @param onBlocked runs when a statement has met a lock and others that may meet it, too, one after the other, are
     *     in flight. The runnable must call {@link #failAll}
     * @param onOutOfOrder runs when an answer comes out of order: rows may have gone to the wrong statement, whose
     *     handler has not been called yet. The runnable must call {@link #failAll}
     */
    InFlightStatements(WaitLimiter limiter, Runnable onBlocked, Runnable onOutOfOrder) {
        this.limiter = limiter;
        this.onBlocked = onBlocked;
        this.onOutOfOrder = onOutOfOrder;
    }

    /**
     * @param execution what the statement belongs to
     * @param handler called once, when the statement has been answered or has failed
     * @return the handler for the driver to call
     */
    <T> Handler<AsyncResult<SqlResult<T>>> add(
            Execution<?> execution, RowReceiver<T> receiver, Handler<AsyncResult<SqlResult<T>>> handler) {
        InFlight<T> statement = new InFlight<>(execution, receiver, handler);
        execution.tables().pinned().enter();
        sent.add(statement);
        return statement;
    }

    /** The receiver for rows of the statement that is being answered; {@code null} if the driver must decode them. */
    @Nullable
    WireRowReceiver receiver() {
        InFlight<?> oldest = sent.peek();
        return oldest != null && oldest.receiver.acceptsWireRows() ? oldest : null;
    }

    /**
     * Whether the oldest statement has waited longer than the given time for its answer. The time since the last
     * answer does not matter: if each statement takes long, answers keep arriving, but too late for the statements
     * that were sent last.
     */
    boolean hasWaitedLongerThan(Duration time) {
        InFlight<?> oldest = sent.peek();
        return oldest != null && System.nanoTime() - oldest.startNanos > time.toNanos();
    }

    /**
     * Whether the oldest statement has kept those of other tables waiting for longer than the given time, and can be
     * repeated. If so, records that its tables are too slow for this connection. Statements of the same tables would
     * be as slow over a pool, for example while the database pauses.
     */
    boolean recordHeldUp(Duration time) {
        InFlight<?> oldest = sent.peek();
        if (oldest == null
                || !oldest.execution.isRetryable()
                || System.nanoTime() - oldest.turnNanos() <= time.toNanos()
                || sent.stream().allMatch(other -> other.reads.isOfSameList(oldest.reads))) {
            return false;
        }
        oldest.reads.pinned().recordTooLong();
        return true;
    }

    void failAll(Throwable failure) {
        for (InFlight<?> oldest; (oldest = sent.poll()) != null; ) {
            oldest.lose(failure);
        }
    }

    private final class InFlight<T> extends GuardedReceiver implements Handler<AsyncResult<SqlResult<T>>> {

        private final long startNanos = System.nanoTime();
        private final TableReads reads;
        private final Execution<?> execution;
        private final RowReceiver<T> receiver;
        private final Handler<AsyncResult<SqlResult<T>>> handler;

        InFlight(Execution<?> execution, RowReceiver<T> receiver, Handler<AsyncResult<SqlResult<T>>> handler) {
            super(receiver);
            this.reads = execution.tables();
            this.execution = execution;
            this.receiver = receiver;
            this.handler = handler;
        }

        /**
         * Ends the statement, or reports that its answer is out of order. Ignores an answer that arrives after the
         * connection was abandoned, because no statement is in flight then.
         */
        @Override
        public void handle(AsyncResult<SqlResult<T>> answer) {
            if (sent.peek() == this) {
                sent.poll();
                finish(answer);
            } else if (isUnsent(answer)) {
                if (sent.remove(this)) {
                    finish(answer);
                }
            } else if (sent.contains(this)) {
                onOutOfOrder.run();
            }
        }

        private void lose(Throwable failure) {
            reads.pinned().leave();
            limiter.leave();
            handler.handle(Future.failedFuture(failure() == null ? failure : failure()));
        }

        /** Whether the driver rejected the statement without sending it, for example because the values do not fit. */
        private boolean isUnsent(AsyncResult<SqlResult<T>> answer) {
            return DriverFailures.isRejectedByDriver(answer.cause());
        }

        private void finish(AsyncResult<SqlResult<T>> answer) {
            Throwable cause = answer.cause();
            if (cause != null && !(cause instanceof PgException) && Failures.isConnectionLost(cause)) {
                // The driver fails the statements itself if the server closes the connection.
                lose(cause);
                return;
            }
            long now = System.nanoTime();
            reads.pinned().leave();
            limiter.recordAnswer(now);
            if (Failures.isLockTimeout(answer.cause())) {
                reads.lock().suspect();
                if (isFollowedBySuspected()) {
                    onBlocked.run();
                }
            } else if (answer.succeeded() || answer.cause() instanceof PgException) {
                reads.pinned().recordTime(now - turnNanos());
            }
            lastAnswerNanos = now;
            handler.handle(failure() == null ? answer : Future.failedFuture(failure()));
        }

        /** When the database could begin to run the statement. Before, it waited for earlier ones. */
        private long turnNanos() {
            return Math.max(startNanos, lastAnswerNanos);
        }

        private boolean isFollowedBySuspected() {
            return sent.stream()
                    .anyMatch(other ->
                            other.execution != execution && other.reads.lock().isSuspected());
        }
    }
}
