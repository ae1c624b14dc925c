package dev.tidemark.postgres.connection;

import dev.tidemark.framework.Contexts;
import dev.tidemark.postgres.connection.QueryRunner.Result;
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
 * <p>Answers arrive in the order of the statements, so a slow statement delays all later ones. Only lists that an
 * index serves are therefore read over this connection. A statement that would wait longer than {@code longestWait}
 * for its turn is rejected immediately. If statements are in flight and no answer has arrived for {@code longestWait},
 * further statements use a pool, and if those of other tables wait behind the slow one, the connection is replaced,
 * and all are repeated over a pool. The tables of the slow statement then use pools until their statements are fast
 * there.
 *
 * <p>PostgreSQL fails a statement that waits for a lock after a few milliseconds, the {@code lock_timeout} of this
 * session. If statements that read the same tables follow it, the connection is replaced, and all are repeated over a
 * pool.
 */
final class PinnedConnection implements Execution.Connection {

    private static final Duration ATTEMPT_INTERVAL = Duration.ofSeconds(1);

    /**
     * Up to this many statements in flight are always accepted: the first answers say little about the expected wait,
     * because their statements are still being planned.
     */
    private static final int ALWAYS_ACCEPTED = 128;

    private static final int MAX_IN_FLIGHT = 4096;

    private final Context context;
    private final Supplier<Future<PgConnection>> connect;
    private final WaitLimiter limiter;
    private final Duration longestWait;
    private final Duration longestSilence;
    private final OldPlans oldPlans;
    private final long timerId;

    /** Changed only by the event loop's thread; metrics read it from other threads. */
    private volatile @Nullable PgConnection connection;

    @SuppressWarnings("NullAway.Init") // Set with the connection.
    private Wire wire;

    /** The guard of the connection's statements; {@code null} without a pooler. */
    private @Nullable SessionGuard guard;

    private boolean connecting;
    private boolean closed;
    private long lastAttemptNanos = System.nanoTime() - ATTEMPT_INTERVAL.toNanos();
    private final InFlightStatements inFlight;

    /**
     * @param context the root context of the event loop
     * @param connect opens a connection in the caller's context
     * @param longestWait a statement that would wait longer is rejected
     * @param longestSilence the connection is abandoned when a statement has waited this long for its answer
     */
    PinnedConnection(
            Context context,
            Supplier<Future<PgConnection>> connect,
            Duration longestWait,
            Duration longestSilence,
            OldPlans oldPlans) {
        this.context = context;
        this.connect = connect;
        this.limiter = new WaitLimiter(longestWait, 1, ALWAYS_ACCEPTED, MAX_IN_FLIGHT);
        this.inFlight = new InFlightStatements(limiter, this::replace, () -> cut(ClosedConnectionException.INSTANCE));
        this.longestWait = longestWait;
        this.longestSilence = longestSilence;
        this.oldPlans = oldPlans;
        long interval = Math.max(1, Math.min(longestWait.toMillis(), longestSilence.toMillis()) / 8);
        this.timerId = context.owner().setPeriodic(interval, tick -> context.runOnContext(here -> checkWaits()));
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
     * connection, and with {@link ReadFailures#WAIT_TOO_LONG} if the statements would wait too long. The handler runs
     * on the event loop's thread, but usually not in the caller's context.
     */
    <T> void run(Execution<T> execution, Handler<AsyncResult<Result<T>>> handler) {
        assert Contexts.isOnEventLoopOf(context) : "a pinned connection stays on its event loop";
        if (connection == null) {
            handler.handle(Future.failedFuture(ClosedConnectionException.INSTANCE));
        } else if (!limiter.tryEnter(execution.statementCount())) {
            handler.handle(Future.failedFuture(ReadFailures.WAIT_TOO_LONG));
        } else {
            // Calls send() for each statement.
            execution.sendOver(this, handler);
        }
    }

    @Override
    public <T> void send(
            Execution<?> execution,
            String sql,
            Tuple values,
            RowReceiver<T> receiver,
            Handler<AsyncResult<SqlResult<T>>> handler) {
        Handler<AsyncResult<SqlResult<T>>> onAnswer = inFlight.add(execution, receiver, handler);
        // run() has checked the connection.
        PgConnection current = Objects.requireNonNull(connection);
        oldPlans.discardFrom(current, wire);
        SessionGuard currentGuard = guard;
        // The rows of pages reach the receiver through RowTap, and the collector only returns the result.
        if (currentGuard == null) {
            current.preparedQuery(sql)
                    .collecting(receiver.collector())
                    .execute(values)
                    .onComplete(onAnswer);
        } else {
            current.preparedQuery(currentGuard.guard(sql, values))
                    .collecting(receiver.collector())
                    .execute(currentGuard.guard(values))
                    .onComplete(answer -> {
                        if (currentGuard.isLost(answer.cause()) && connection == current) {
                            ReadFailures.logUnprepared(new SharedSessionException());
                            cut(ClosedConnectionException.INSTANCE);
                        } else {
                            onAnswer.handle(answer);
                        }
                    });
        }
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
        wire = Wire.of(newConnection);
        wire.installPinnedHandlers(() -> currentReceiver(newConnection));
        guard = SessionGuard.of(wire);
        connection = newConnection;
        newConnection.closeHandler(ended -> abandon(newConnection, ClosedConnectionException.INSTANCE));
    }

    private @Nullable WireRowReceiver currentReceiver(PgConnection source) {
        // If the connection was abandoned, its statements have already failed, and may have been retried.
        return source == connection ? inFlight.receiver() : row -> false;
    }

    private void checkWaits() {
        assert Contexts.isOnEventLoopOf(context) : "a pinned connection stays on its event loop";
        if (inFlight.hasWaitedLongerThan(longestSilence)) {
            cut(ReadFailures.SILENT);
        } else if (inFlight.recordHeldUp(longestWait)) {
            replace();
        }
    }

    /** Fails all statements so that they are repeated over a pool, and connects again at the next request. */
    private void replace() {
        cut(ReadFailures.BLOCKED);
        lastAttemptNanos = System.nanoTime() - ATTEMPT_INTERVAL.toNanos() - 1;
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
        assert Contexts.isOnEventLoopOf(context) : "a pinned connection stays on its event loop";
        if (connection == lostConnection) {
            connection = null;
            inFlight.failAll(failure);
        }
    }
}
