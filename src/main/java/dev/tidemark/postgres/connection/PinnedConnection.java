package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.Rows;
import dev.tidemark.postgres.wire.Wire;
import dev.tidemark.postgres.rows.WireRows;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.impl.ContextInternal;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The one connection of an event loop, used by its thread alone. Statements are sent without waiting for the answers to
 * those before them, and no thread is changed on the way: compared with a connection borrowed from a pool for each
 * statement, that is about half of what a short page costs.
 *
 * <p>The answers come in the sequence of the statements, so a slow one holds up all behind it: only what an index serves
 * belongs here. A statement that would wait too long for its turn is refused at once. While one takes longer than that by
 * itself, the connection takes no others, so that they go elsewhere.
 */
final class PinnedConnection {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    /** As many are taken in any case: while statements are still being planned, the first answers say little. */
    private static final int ALWAYS_TAKEN = 128;

    private static final int MOST_IN_FLIGHT = 4096;

    private final ContextInternal context;
    private final Supplier<Future<PgConnection>> connect;
    private final ExpectedWait wait;
    private final Duration longestWait;
    private final Duration longestSilence;
    private final long timer;

    /** Changed on this thread only; others only look whether there is one. */
    private volatile PgConnection connection;

    private boolean connecting;
    private boolean closed;
    private long lastAttempt = System.nanoTime() - BETWEEN_ATTEMPTS.toNanos();
    private final InFlight inFlight;

    /**
     * @param context of the event loop, and of no request
     * @param connect makes a connection that lives on the context that it is called on
     * @param longestWait a statement that would wait for longer is refused
     * @param longestSilence when a statement has waited so long for its answer, the connection is given up
     */
    PinnedConnection(
            ContextInternal context,
            Supplier<Future<PgConnection>> connect,
            Duration longestWait,
            Duration longestSilence) {
        this.context = context;
        this.connect = connect;
        this.wait = new ExpectedWait(longestWait, 1, ALWAYS_TAKEN, MOST_IN_FLIGHT);
        this.inFlight = new InFlight(wait::answered, () -> cut(ClosedConnectionException.INSTANCE));
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        long every = Math.max(1, longestSilence.toMillis() / 8);
        this.timer = context.owner().setPeriodic(every, tick -> context.runOnContext(here -> giveUpSilent()));
    }

    /** Whether it takes statements; while it is not connected, it tries to connect, at most once a second. */
    boolean isOpen() {
        if (connection == null && !connecting && System.nanoTime() - lastAttempt > BETWEEN_ATTEMPTS.toNanos()) {
            open();
        }
        return connection != null && !wait.isSilentFor(longestWait);
    }

    boolean isConnected() {
        return connection != null;
    }

    int inFlight() {
        return wait.inFlight();
    }

    /** Fails as lost where it is not open. The handler runs on this thread, but in no caller's context. */
    <T> void query(String sql, Tuple values, Rows<T> rows, Handler<AsyncResult<SqlResult<T>>> handler) {
        if (connection == null) {
            handler.handle(Future.failedFuture(ClosedConnectionException.INSTANCE));
            return;
        }
        if (!wait.enter()) {
            handler.handle(Future.failedFuture(Failures.FULL));
            return;
        }
        Handler<AsyncResult<SqlResult<T>>> sent = inFlight.add(rows.wire(), handler);
        connection
                .preparedQuery(sql)
                .collecting(rows.collector())
                .execute(values)
                .onComplete(sent);
    }

    /** Takes no statements any more, and lets go of the connection. */
    void close() {
        context.owner().cancelTimer(timer);
        context.runOnContext(here -> {
            closed = true;
            if (connection != null) {
                connection.close();
            }
        });
    }

    private void open() {
        connecting = true;
        lastAttempt = System.nanoTime();
        context.runOnContext(here -> {
            Future<PgConnection> opening = connect.get();
            // Who takes the connection and then says nothing would else be waited for for ever.
            opening.timeout(longestSilence.toMillis(), TimeUnit.MILLISECONDS).onComplete(opened -> {
                connecting = false;
                if (opened.succeeded() && !closed) {
                    use(opened.result());
                } else {
                    opening.onSuccess(PgConnection::close);
                }
            });
        });
    }

    private void use(PgConnection opened) {
        Wire.of(opened).passRowsTo(() -> answeredNow(opened));
        connection = opened;
        opened.closeHandler(gone -> giveUp(opened, ClosedConnectionException.INSTANCE));
    }

    private WireRows answeredNow(PgConnection asked) {
        // What was in flight over a connection that was given up was told that it is lost, and is read anew by now.
        return asked == connection ? inFlight.rows() : row -> false;
    }

    private void giveUpSilent() {
        if (inFlight.isSilentFor(longestSilence)) {
            cut(Failures.SILENT);
        }
    }

    private void cut(Throwable failure) {
        PgConnection given = connection;
        giveUp(given, failure);
        Wire.of(given).cut();
    }

    /** A server that is silent does not close the connection either, so that what waits is not left to the driver. */
    private void giveUp(PgConnection lost, Throwable failure) {
        if (connection == lost) {
            connection = null;
            inFlight.fail(failure);
        }
    }
}
