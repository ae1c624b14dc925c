package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.connection.Database.Result;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.WireRowReceiver;
import dev.tidemark.postgres.wire.Wire;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pinned connection of one event loop to one host, used only by the thread of that loop. Statements are sent
 * without waiting for the answers to earlier statements, and without switching threads. With the driver's own
 * pipelining, over a shared client of four connections, Tidemark serves 0.77 times as many deep pages per second, if
 * the driver decodes the rows in both cases. The driver's pipelining also offers no way to cut a silent connection.
 *
 * <p>Answers arrive in the order of the statements, so a slow statement delays all later ones. Only lists that an index
 * serves are therefore read over this connection. A statement that would wait longer than {@code longestWait} for its
 * turn is rejected immediately. If statements are in flight and no answer has arrived for {@code longestWait}, further
 * statements use a pool. If only the oldest statement does not answer, the others are repeated over a pool, and further
 * statements of its table use a pool until they are fast again.
 */
final class PinnedConnection implements Execution.Connection {

    /** How often the oldest statement is checked. */
    private static final Duration TICK = TableLoad.SLOW.dividedBy(2);

    private static final Duration ATTEMPT_INTERVAL = Duration.ofSeconds(1);

    /**
     * Up to this many statements in flight are always accepted: the first answers say little about the expected wait,
     * because their statements are still being planned.
     */
    private static final int ALWAYS_ACCEPTED = 128;

    private static final int MAX_IN_FLIGHT = 4096;

    private final Context context;
    private final Supplier<Future<PgConnection>> connect;
    private final Supplier<Future<?>> canary;
    private final WaitLimiter limiter;
    private final Duration longestWait;
    private final Duration longestSilence;
    private final long timerId;

    /** Changed only by the event loop's thread; metrics read it from other threads. */
    private volatile @Nullable PgConnection connection;

    /** The table of the statements that are being sent. */
    @SuppressWarnings("NullAway.Init") // run() sets it.
    private TableLoad sendingTo;

    private boolean awaitingCanary;
    private boolean connecting;
    private boolean closed;
    private long lastAttemptNanos = System.nanoTime() - ATTEMPT_INTERVAL.toNanos();
    private final InFlightStatements inFlight;

    /**
     * @param context the root context of the event loop
     * @param connect opens a connection in the caller's context
     * @param canary runs a statement that reads no table over another connection to the host
     * @param longestWait a statement that would wait longer is rejected
     * @param longestSilence the connection is abandoned when a statement has waited this long for its answer
     */
    PinnedConnection(
            Context context,
            Supplier<Future<PgConnection>> connect,
            Supplier<Future<?>> canary,
            Duration longestWait,
            Duration longestSilence) {
        this.context = context;
        this.connect = connect;
        this.canary = canary;
        this.limiter = new WaitLimiter(longestWait, 1, ALWAYS_ACCEPTED, MAX_IN_FLIGHT);
        this.inFlight = new InFlightStatements(limiter::recordAnswer, () -> cut(ClosedConnectionException.INSTANCE));
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        this.timerId = context.owner()
                .setPeriodic(TICK.toMillis(), tick -> context.runOnContext(here -> checkOldestStatement()));
    }

    /**
     * Whether the connection accepts statements. If it is not connected, starts an attempt to connect, at most once a
     * second.
     */
    boolean tryOpen() {
        if (connection == null && !connecting && System.nanoTime() - lastAttemptNanos > ATTEMPT_INTERVAL.toNanos()) {
            connect();
        }
        return connection != null && !limiter.hasBeenSilentFor(longestWait);
    }

    boolean isConnected() {
        return connection != null;
    }

    int inFlightCount() {
        return limiter.inFlightCount();
    }

    /**
     * Sends all statements of an execution, or none. Fails with {@link ClosedConnectionException} if there is no
     * connection, and with {@link ReadFailures#WAIT_TOO_LONG} if the statements would wait too long. The handler runs on
     * the event loop's thread, but usually not in the caller's context.
     */
    <T> void run(TableLoad table, Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
        if (connection == null) {
            handler.handle(Future.failedFuture(ClosedConnectionException.INSTANCE));
        } else if (!limiter.tryEnter(execution.statementCount())) {
            handler.handle(Future.failedFuture(ReadFailures.WAIT_TOO_LONG));
        } else {
            sendingTo = table;
            execution.send(this, handler);
        }
    }

    @Override
    public <T> void send(
            String sql, Tuple values, RowReceiver<T> receiver, Handler<AsyncResult<SqlResult<T>>> handler) {
        Handler<AsyncResult<SqlResult<T>>> onAnswer = inFlight.add(sendingTo, receiver, handler);
        // run() has checked the connection.
        Objects.requireNonNull(connection)
                .preparedQuery(sql)
                .collecting(receiver.collector())
                .execute(values)
                .onComplete(onAnswer);
    }

    /** Closes the connection. No other connection is used afterwards. */
    void close() {
        context.owner().cancelTimer(timerId);
        context.runOnContext(here -> {
            closed = true;
            if (connection != null) {
                connection.close();
            }
        });
    }

    private void connect() {
        connecting = true;
        lastAttemptNanos = System.nanoTime();
        context.runOnContext(here -> {
            Future<PgConnection> opening = connect.get();
            // Without a timeout, the wait for a server that accepts the connection and then stays silent would never
            // end.
            opening.timeout(longestSilence.toMillis(), TimeUnit.MILLISECONDS).onComplete(opened -> {
                connecting = false;
                if (opened.succeeded() && !closed) {
                    startUsing(opened.result());
                } else {
                    opening.onSuccess(PgConnection::close);
                }
            });
        });
    }

    private void startUsing(PgConnection newConnection) {
        Wire.of(newConnection).passRowsTo(() -> currentReceiver(newConnection));
        connection = newConnection;
        newConnection.closeHandler(ended -> abandon(newConnection, ClosedConnectionException.INSTANCE));
    }

    private @Nullable WireRowReceiver currentReceiver(PgConnection source) {
        // If the connection was abandoned, its statements have already failed, and may have been retried.
        return source == connection ? inFlight.receiver() : row -> false;
    }

    private void checkOldestStatement() {
        if (inFlight.hasWaitedLongerThan(longestSilence)) {
            cut(ReadFailures.SILENT);
        } else if (!awaitingCanary && limiter.hasBeenSilentFor(TableLoad.SLOW)) {
            inFlight.oldestWithoutRows().ifPresent(this::sendCanary);
        }
    }

    /**
     * Finds out whether only the oldest statement does not answer, for example because its table is locked, or the host
     * does not answer at all. If the host answers the canary, the connection is replaced, and all statements are
     * repeated over a pool. After the canary's answer, one more tick passes: if the host was paused, it answers the
     * oldest statement, too.
     */
    private void sendCanary(Object oldest) {
        awaitingCanary = true;
        canary.get().onComplete(answer -> context.owner()
                .setTimer(
                        TICK.toMillis(),
                        timer -> context.runOnContext(here -> {
                            awaitingCanary = false;
                            PgConnection current = connection;
                            if (answer.succeeded()
                                    && current != null
                                    && inFlight.oldestWithoutRows()
                                            .filter(oldest::equals)
                                            .isPresent()) {
                                inFlight.markOldestSlow();
                                // Otherwise, the statement would keep its session until the statement timeout.
                                current.cancelRequest();
                                cut(ReadFailures.BLOCKED);
                                lastAttemptNanos = System.nanoTime() - ATTEMPT_INTERVAL.toNanos() - 1;
                            }
                        })));
    }

    private void cut(Throwable failure) {
        PgConnection current = connection;
        if (current != null) {
            abandon(current, failure);
            Wire.of(current).cut();
        }
    }

    /**
     * Stops using a connection, and fails its statements. The driver would fail them only when the connection is
     * closed, and a silent server does not close it.
     */
    private void abandon(PgConnection lostConnection, Throwable failure) {
        if (connection == lostConnection) {
            connection = null;
            inFlight.failAll(failure);
        }
    }
}
