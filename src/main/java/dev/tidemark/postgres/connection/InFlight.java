package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.rows.WireRows;
import dev.tidemark.postgres.wire.DriverFailures;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.sqlclient.SqlResult;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The statements of one connection whose answers are awaited, for one thread.
 *
 * <p>The driver sends statements in the sequence that they came in; it waits with the next while it prepares one. Only what
 * PostgreSQL cannot prepare without being told the types, which a value causes that stands nowhere in its statement, the
 * driver sends once more, after others.
 */
final class InFlight {

    private final ArrayDeque<Sent<?>> sent = new ArrayDeque<>();
    private final Runnable answered;
    private final Runnable disordered;

    /**
     * @param answered runs when a statement is no longer in flight, before its handler is told
     * @param disordered runs when an answer comes out of turn: rows may have gone to who asked for others, and who has them
     *     has not been told yet. It is to {@link #fail} all
     */
    InFlight(Runnable answered, Runnable disordered) {
        this.answered = answered;
        this.disordered = disordered;
    }

    /**
     * @param rows {@code null} where the driver is to decode them
     * @param handler told once
     * @return what the driver is to tell
     */
    <T> Handler<AsyncResult<SqlResult<T>>> add(WireRows rows, Handler<AsyncResult<SqlResult<T>>> handler) {
        Sent<T> statement = new Sent<>(rows, handler);
        sent.add(statement);
        return statement;
    }

    /** Where the rows go that come now; {@code null} where the driver is to decode them. */
    WireRows rows() {
        Sent<?> oldest = sent.peek();
        return oldest == null || oldest.rows == null ? null : oldest;
    }

    /** By the oldest statement: where each takes long, answers come, but too late for those that wait at the end. */
    boolean isSilentFor(Duration silence) {
        Sent<?> oldest = sent.peek();
        return oldest != null && System.nanoTime() - oldest.start > silence.toNanos();
    }

    void fail(Throwable failure) {
        for (Sent<?> oldest; (oldest = sent.peek()) != null; ) {
            oldest.handle(Future.failedFuture(failure));
        }
    }

    private final class Sent<T> implements WireRows, Handler<AsyncResult<SqlResult<T>>> {

        private final long start = System.nanoTime();
        private final WireRows rows;
        private final Handler<AsyncResult<SqlResult<T>>> handler;
        private RuntimeException refused;

        Sent(WireRows rows, Handler<AsyncResult<SqlResult<T>>> handler) {
            this.rows = rows;
            this.handler = handler;
        }

        /** As with the driver, rows that cannot be taken fail their own statement only. */
        @Override
        public boolean take(StatementRow row) {
            try {
                return refused == null && rows.take(row);
            } catch (RuntimeException e) {
                refused = e;
                return false;
            }
        }

        /** Of a connection that was given up, nothing is in flight any more, and what it still says is for nobody. */
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
                disordered.run();
            }
        }

        /** The driver refuses by itself values that do not go with their statement. */
        private boolean isUnsent(AsyncResult<SqlResult<T>> answer) {
            return DriverFailures.isOfDriver(answer.cause());
        }

        private void finish(AsyncResult<SqlResult<T>> answer) {
            answered.run();
            handler.handle(refused == null ? answer : Future.failedFuture(refused));
        }
    }
}
