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
 * The one connection of this process that listens for notifications. It is made anew whenever it is lost, after pauses
 * that grow to {@link #LONGEST_PAUSE}. Thread-safe.
 */
final class Listening {

    private static final Logger LOG = Logger.getLogger(Listening.class);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** After so many times the patience it is asked again whether the other end is still there. */
    private static final int BETWEEN_CHECKS = 6;

    /** Who is told what is heard. */
    interface Ear {
        void notification(String payload);

        /** From now on nothing goes unheard; what came before may have. */
        void listens();

        /** From now on everything goes unheard. */
        void deaf();
    }

    private final Vertx vertx;
    private final Supplier<Future<PgConnection>> connect;
    private final Ear ear;
    private final Duration patience;
    private PgConnection connection;
    private Long timer;
    private Duration pause = SHORTEST_PAUSE;
    private boolean started;
    private boolean closed;
    private boolean refusalTold;

    /** @param patience who answers nothing for so long is taken for gone */
    Listening(Vertx vertx, Supplier<Future<PgConnection>> connect, Ear ear, Duration patience) {
        this.vertx = vertx;
        this.connect = connect;
        this.ear = ear;
        this.patience = patience;
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
                .compose(made -> made.notificationHandler(heard -> ear.notification(heard.getPayload()))
                        .exceptionHandler(why -> LOG.debugf(why, "The connection that listens fails"))
                        .closeHandler(gone -> lost(made))
                        .query("LISTEN " + NotifyTrigger.CHANNEL)
                        .execute()
                        .map(made))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(this::listens)
                .onFailure(failure -> {
                    // Also when it is made only after the wait for it has ended.
                    connecting.onSuccess(PgConnection::close);
                    failed(failure);
                });
    }

    private void listens(PgConnection made) {
        synchronized (this) {
            if (closed) {
                made.close();
                return;
            }
            connection = made;
            pause = SHORTEST_PAUSE;
            timer = vertx.setPeriodic(patience.multipliedBy(BETWEEN_CHECKS).toMillis(), tick -> check(made));
        }
        LOG.debug("Listening for changes");
        ear.listens();
    }

    /**
     * A connection whose other end vanished says nothing, and looks like one on which nothing happens. To close it waits
     * for the other end, so it is given up without that.
     */
    private void check(PgConnection made) {
        made.query("SELECT 1")
                .execute()
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(dead -> {
                    lost(made);
                    made.close();
                });
    }

    private void lost(PgConnection gone) {
        synchronized (this) {
            if (connection != gone) {
                return;
            }
            connection = null;
            vertx.cancelTimer(timer);
            if (closed) {
                return;
            }
            again(
                    () -> LOG.warn(
                            "The connection that listens for changes was lost; looking for them at intervals until it is back"));
        }
        ear.deaf();
    }

    private synchronized void failed(Throwable failure) {
        if (closed) {
            return;
        }
        if (failure instanceof PgException refused && !Failures.isAway(refused)) {
            // A standby does not let anybody listen. It may become more than a standby.
            if (!refusalTold) {
                LOG.infof(
                        "The database does not notify (SQLSTATE %s: %s); looking for changes at intervals",
                        refused.getSqlState(), refused.getErrorMessage());
                refusalTold = true;
            }
            pause = LONGEST_PAUSE;
        }
        again(() -> {});
    }

    /** @param before runs when it is time; not when this was closed meanwhile, as when the whole server stops */
    private void again(Runnable before) {
        timer = vertx.setTimer(pause.toMillis(), tick -> {
            before.run();
            listen();
        });
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
