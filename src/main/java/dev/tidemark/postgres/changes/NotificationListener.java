package dev.tidemark.postgres.changes;

import dev.tidemark.postgres.connection.Failures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The one connection of this process that listens for notifications. It is connected anew whenever it is lost, after pauses
 * that grow to {@link #MAX_DELAY}. Thread-safe.
 */
final class NotificationListener {

    private static final Logger LOG = Logger.getLogger(NotificationListener.class);

    private static final Duration INITIAL_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_DELAY = Duration.ofSeconds(30);

    /** After so many times the timeout it is asked again whether the other end is still there. */
    private static final int CHECK_INTERVAL_FACTOR = 6;

    /** Who is told what is notification. */
    interface Handler {
        void onNotification(String payload);

        /** From now on nothing goes unheard; what came before may have. */
        void onListening();

        /** From now on everything goes unheard. */
        void onConnectionLost();
    }

    private final Vertx vertx;
    private final Supplier<Future<PgConnection>> connect;
    private final Handler handler;
    private final Duration timeout;
    private PgConnection connection;
    private Long timer;
    private Duration delay = INITIAL_DELAY;
    private boolean started;
    private boolean closed;
    private boolean refusalLogged;

    /** @param timeout who answers nothing for so long is taken for gone */
    NotificationListener(Vertx vertx, Supplier<Future<PgConnection>> connect, Handler handler, Duration timeout) {
        this.vertx = vertx;
        this.connect = connect;
        this.handler = handler;
        this.timeout = timeout;
    }

    /** Begins to listen; to begin again does nothing. */
    synchronized void start() {
        if (!started) {
            started = true;
            listen();
        }
    }

    synchronized void close() {
        closed = true;
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
        if (connection != null) {
            connection.close();
        }
    }

    private void listen() {
        Future<PgConnection> connecting = connect.get();
        connecting
                .compose(connected -> connected.notificationHandler(notification -> handler.onNotification(notification.getPayload()))
                        .exceptionHandler(why -> LOG.debugf(why, "The connection that listens fails"))
                        .closeHandler(gone -> connectionLost(connected))
                        .query("LISTEN " + NotifyTrigger.CHANNEL)
                        .execute()
                        .map(connected))
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(this::onConnected)
                .onFailure(failure -> {
                    // Also when it is made only after the wait for it has ended.
                    connecting.onSuccess(PgConnection::close);
                    connectFailed(failure);
                });
    }

    private void onConnected(PgConnection connected) {
        synchronized (this) {
            if (closed) {
                connected.close();
                return;
            }
            connection = connected;
            delay = INITIAL_DELAY;
            timer = vertx.setPeriodic(timeout.multipliedBy(CHECK_INTERVAL_FACTOR).toMillis(), tick -> check(connected));
        }
        LOG.debug("Listening for changes");
        handler.onListening();
    }

    /**
     * A connection whose other end vanished says nothing, and looks like one on which nothing happens. To close it waits
     * for the other end, so it is given up without that.
     */
    private void check(PgConnection connected) {
        connected.query("SELECT 1")
                .execute()
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(dead -> {
                    connectionLost(connected);
                    connected.close();
                });
    }

    private void connectionLost(PgConnection gone) {
        synchronized (this) {
            if (connection != gone) {
                return;
            }
            connection = null;
            vertx.cancelTimer(timer);
            if (closed) {
                return;
            }
            reconnect(
                    () -> LOG.warn(
                            "The connection that listens for changes was lost; looking for them at intervals until it is back"));
        }
        handler.onConnectionLost();
    }

    private synchronized void connectFailed(Throwable failure) {
        if (closed) {
            return;
        }
        if (failure instanceof PgException refused && !Failures.isAway(refused)) {
            // A standby does not let anybody listen. It may become more than a standby.
            if (!refusalLogged) {
                LOG.infof(
                        "The database does not notify (SQLSTATE %s: %s); looking for changes at intervals",
                        refused.getSqlState(), refused.getErrorMessage());
                refusalLogged = true;
            }
            delay = MAX_DELAY;
        }
        reconnect(() -> {});
    }

    /** @param before runs when it is time; not when this was closed meanwhile, as when the whole server stops */
    private void reconnect(Runnable before) {
        timer = vertx.setTimer(delay.toMillis(), tick -> {
            before.run();
            listen();
        });
        Duration doubled = delay.multipliedBy(2);
        delay = doubled.compareTo(MAX_DELAY) < 0 ? doubled : MAX_DELAY;
    }
}
