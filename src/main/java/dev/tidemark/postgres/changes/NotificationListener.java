package dev.tidemark.postgres.changes;

import dev.tidemark.postgres.catalogue.NotifyTrigger;
import dev.tidemark.postgres.connection.Failures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Listens for notifications over one connection. When the connection is lost, reconnects with exponential backoff, up
 * to {@link #MAX_DELAY}. Thread-safe.
 */
final class NotificationListener {

    private static final Logger LOG = Logger.getLogger(NotificationListener.class);

    private static final Duration INITIAL_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_DELAY = Duration.ofSeconds(30);

    /** The interval between two checks of the listening connection, as a multiple of the timeout. */
    private static final int CHECK_INTERVAL_FACTOR = 6;

    /** Receives the notifications and the state of the connection. */
    interface Handler {
        void onNotification(String payload);

        /** Called when notifications can be received. Earlier notifications may have been missed. */
        void onListening();

        /** Called when the connection is lost. Notifications can be missed until {@link #onListening} is called. */
        void onConnectionLost();
    }

    private final Vertx vertx;
    private final Supplier<Future<PgConnection>> connect;
    private final Handler handler;
    private final Duration timeout;
    private @Nullable PgConnection connection;

    /** The timer for the next attempt to connect or, while connected, for the checks; {@code null} until first set. */
    private @Nullable Long timer;

    private Duration nextDelay = INITIAL_DELAY;
    private boolean started;
    private boolean closed;
    private boolean isRejectionLogged;

    /** @param timeout how long to wait for a response before the connection counts as lost */
    NotificationListener(Vertx vertx, Supplier<Future<PgConnection>> connect, Handler handler, Duration timeout) {
        this.vertx = vertx;
        this.connect = connect;
        this.handler = handler;
        this.timeout = timeout;
    }

    /** Starts listening. Further calls have no effect until {@link #stop}. */
    synchronized void start() {
        if (!started) {
            started = true;
            listen();
        }
    }

    /** Stops listening until {@link #start}. */
    void stop() {
        synchronized (this) {
            started = false;
            nextDelay = INITIAL_DELAY;
            disconnect();
        }
        handler.onConnectionLost();
    }

    /** The connection is forgotten first, so that its end does not count as a loss. */
    private void disconnect() {
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
        PgConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    /**
     * Connects immediately if the listener is waiting for its next attempt. Call this when an attempt is likely to
     * succeed.
     */
    synchronized void retry() {
        boolean isWaiting = started && !closed && connection == null;
        if (isWaiting && timer != null && vertx.cancelTimer(timer)) {
            nextDelay = INITIAL_DELAY;
            listen();
        }
    }

    synchronized void close() {
        closed = true;
        disconnect();
    }

    private void listen() {
        Future<PgConnection> connecting = connect.get();
        connecting
                .compose(newConnection -> newConnection
                        .notificationHandler(notification -> handler.onNotification(notification.getPayload()))
                        .exceptionHandler(why -> LOG.debugf(why, "The listening connection failed"))
                        .closeHandler(ended -> onConnectionLost(newConnection))
                        .query("LISTEN " + NotifyTrigger.CHANNEL)
                        .execute()
                        .map(newConnection))
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(this::onConnected)
                .onFailure(failure -> {
                    // Close the connection even if it is established only after the timeout.
                    connecting.onSuccess(PgConnection::close);
                    onConnectFailed(failure);
                });
    }

    private void onConnected(PgConnection newConnection) {
        synchronized (this) {
            // After a stop and a start, another attempt can have succeeded earlier.
            if (closed || !started || connection != null) {
                newConnection.close();
                return;
            }
            connection = newConnection;
            nextDelay = INITIAL_DELAY;
            timer = vertx.setPeriodic(
                    timeout.multipliedBy(CHECK_INTERVAL_FACTOR).toMillis(), tick -> check(newConnection));
        }
        LOG.debug("Listening for changes");
        handler.onListening();
    }

    /**
     * Detects a server that has vanished without closing the connection. Closing the connection waits for the server,
     * so the loss of the connection is reported first.
     */
    private void check(PgConnection listeningConnection) {
        listeningConnection
                .query("SELECT 1")
                .execute()
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(failure -> {
                    onConnectionLost(listeningConnection);
                    listeningConnection.close();
                });
    }

    private void onConnectionLost(PgConnection lostConnection) {
        synchronized (this) {
            if (connection != lostConnection) {
                return;
            }
            connection = null;
            vertx.cancelTimer(Objects.requireNonNull(timer));
            if (closed) {
                return;
            }
            scheduleReconnect(
                    () -> LOG.warn("The connection that listens for changes was lost; polling until it is restored"));
        }
        handler.onConnectionLost();
    }

    private synchronized void onConnectFailed(Throwable failure) {
        if (closed || !started) {
            return;
        }
        if (failure instanceof PgException error && !Failures.isUnavailable(error)) {
            // A standby rejects LISTEN. Attempts continue, because the standby may be promoted later.
            if (!isRejectionLogged) {
                LOG.infof(
                        "The database does not support LISTEN (SQLSTATE %s: %s); polling for changes",
                        error.getSqlState(), error.getErrorMessage());
                isRejectionLogged = true;
            }
            nextDelay = MAX_DELAY;
        }
        scheduleReconnect(() -> {});
    }

    /**
     * @param beforeAttempt runs when the delay has elapsed; does not run if {@link #close} or {@link #retry} has
     *     canceled the timer earlier
     */
    private void scheduleReconnect(Runnable beforeAttempt) {
        timer = vertx.setTimer(nextDelay.toMillis(), tick -> {
            beforeAttempt.run();
            listen();
        });
        Duration doubled = nextDelay.multipliedBy(2);
        nextDelay = doubled.compareTo(MAX_DELAY) < 0 ? doubled : MAX_DELAY;
    }
}
