package dev.tidemark.postgres;

import dev.tidemark.feed.ReadFailure;
import dev.tidemark.feed.ReadFailure.Reason;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VertxException;
import io.vertx.core.impl.ContextInternal;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import java.util.stream.Collector;

/**
 * The one connection of an event loop, used by its thread alone. Statements are sent without waiting for the answers to
 * those before them, and no thread is changed on the way: compared with a connection borrowed from a pool for each
 * statement, that is about half of what a short page costs.
 *
 * <p>The answers come in the sequence of the statements, so a slow one holds up all behind it: only what an index serves
 * belongs here. How long a statement that comes now would wait is known from how fast the last ones were answered, and
 * where it is too long, it is refused at once.
 */
final class PinnedConnection {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    /** As many are taken in any case: while statements are still being planned, the first answers say little. */
    private static final int ALWAYS_TAKEN = 64;

    private static final int MOST_IN_FLIGHT = 4096;

    /** The share of one answer in the mean. */
    private static final int SMOOTHING = 16;

    /** Made once: it tells nothing of where it comes from. */
    private static final ReadFailure FULL =
            new ReadFailure(Reason.OVERLOADED, new VertxException("the wait would be too long", true));

    private final ContextInternal context;
    private final Supplier<Future<PgConnection>> connect;
    private final long longestWaitNanos;
    private final long longestSilenceNanos;

    private PgConnection connection;
    private boolean connecting;
    private long lastAttempt = System.nanoTime() - BETWEEN_ATTEMPTS.toNanos();
    private long lastAnswer;
    private long meanNanos;
    private final ArrayDeque<Sent<?>> inFlight = new ArrayDeque<>();

    /**
     * @param context of the event loop, and of no request
     * @param connect makes a connection that lives on the context that it is called on
     * @param longestWait a statement that would wait for longer is refused
     * @param longestSilence when statements have waited so long for the next answer, the connection is given up
     */
    PinnedConnection(
            ContextInternal context,
            Supplier<Future<PgConnection>> connect,
            Duration longestWait,
            Duration longestSilence) {
        this.context = context;
        this.connect = connect;
        this.longestWaitNanos = longestWait.toNanos();
        this.longestSilenceNanos = longestSilence.toNanos();
        long every = Math.max(1, longestSilence.toMillis() / 8);
        context.runOnContext(here -> context.owner().setPeriodic(every, timer -> giveUpSilent()));
    }

    /** Whether it takes statements; while it does not, it tries to connect, at most once a second. */
    boolean isOpen() {
        if (connection == null && !connecting && System.nanoTime() - lastAttempt > BETWEEN_ATTEMPTS.toNanos()) {
            open();
        }
        return connection != null;
    }

    boolean isConnected() {
        return connection != null;
    }

    int inFlight() {
        return inFlight.size();
    }

    /** Only while it is open. The handler runs on this thread, but in no caller's context. */
    <T> void query(String sql, Tuple values, Collector<Row, ?, T> rows, Handler<AsyncResult<SqlResult<T>>> handler) {
        if (isFull()) {
            handler.handle(Future.failedFuture(FULL));
            return;
        }
        if (inFlight.isEmpty()) {
            lastAnswer = System.nanoTime();
        }
        Sent<T> sent = new Sent<>(handler);
        inFlight.add(sent);
        connection.preparedQuery(sql).collecting(rows).execute(values).onComplete(sent);
    }

    /** A statement whose answer is awaited, by the handler that is told of it once. */
    private final class Sent<T> implements Handler<AsyncResult<SqlResult<T>>> {

        private final Handler<AsyncResult<SqlResult<T>>> handler;

        Sent(Handler<AsyncResult<SqlResult<T>>> handler) {
            this.handler = handler;
        }

        @Override
        public void handle(AsyncResult<SqlResult<T>> answer) {
            // Of a connection that was given up, nothing is in flight any more.
            if (inFlight.peek() == this ? inFlight.poll() != null : inFlight.remove(this)) {
                long now = System.nanoTime();
                meanNanos += (now - lastAnswer - meanNanos) / SMOOTHING;
                lastAnswer = now;
                handler.handle(answer);
            }
        }
    }

    private boolean isFull() {
        int waiting = inFlight.size();
        return waiting >= MOST_IN_FLIGHT || waiting >= ALWAYS_TAKEN && waiting * meanNanos > longestWaitNanos;
    }

    private void open() {
        connecting = true;
        lastAttempt = System.nanoTime();
        context.runOnContext(here -> connect.get().onComplete(opened -> {
            connecting = false;
            if (opened.succeeded()) {
                PgConnection mine = opened.result();
                sendTogether(mine);
                connection = mine;
                meanNanos = 0;
                mine.closeHandler(closed -> giveUp(mine, ClosedConnectionException.INSTANCE));
            }
        }));
    }

    /** What is sent in one turn of the event loop leaves in one write at its end. */
    private static void sendTogether(PgConnection connection) {
        SocketConnectionBase wire = (SocketConnectionBase) ((SqlConnectionInternal) connection).unwrap();
        wire.socket().channelHandlerContext().pipeline().addFirst(new FlushConsolidationHandler(MOST_IN_FLIGHT, true));
    }

    private void giveUpSilent() {
        if (!inFlight.isEmpty() && System.nanoTime() - lastAnswer > longestSilenceNanos) {
            PgConnection silent = connection;
            giveUp(silent, Failures.SILENT);
            silent.close();
        }
    }

    /** A server that is silent does not close the connection either, so that what waits is not left to the driver. */
    private void giveUp(PgConnection lost, Throwable failure) {
        if (connection != lost) {
            return;
        }
        connection = null;
        for (Sent<?> sent; (sent = inFlight.peek()) != null; ) {
            sent.handle(Future.failedFuture(failure));
        }
    }
}
