package dev.tidemark.postgres.hosts;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Polls one host over a connection of its own. Runs in one Vert.x context; not thread-safe. */
final class HostPoller {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);

    /** The timeout for opening a connection, because an unreachable machine does not reject it. */
    private static final Duration CONNECT = Duration.ofSeconds(2);

    /** A host that has not answered a poll for this long is not used. */
    private static final Duration SILENCE = Duration.ofMillis(750);

    private final Host host;
    private final HostAccess access;
    private final Runnable changed;
    private PgConnection connection;
    private boolean connecting;
    private boolean attempted;
    private boolean closed;
    private long lastAttempt = System.nanoTime() - BETWEEN_ATTEMPTS.toNanos();

    /** When the current poll was sent, by {@link System#nanoTime}; valid only while {@link #polling}. */
    private long sent;

    private boolean polling;
    private long flushed;

    /** @param changed runs when the host's state may have changed */
    HostPoller(Host host, HostAccess access, Runnable changed) {
        this.host = host;
        this.access = access;
        this.changed = changed;
    }

    Host host() {
        return host;
    }

    /** The WAL position at the last poll: the flush LSN of a primary, or the replay LSN of a standby. */
    long flushed() {
        return flushed;
    }

    /** Whether the host has answered once, or an attempt to connect has failed. */
    boolean wasPolled() {
        return attempted;
    }

    /** Whether a poll has waited too long for its answer. */
    boolean isSilent() {
        return polling && System.nanoTime() - sent > SILENCE.toNanos();
    }

    /** Restarts the wait for the answer to the current poll, because this process has read nothing for a while. */
    void restartWait() {
        sent = System.nanoTime();
    }

    /** Polls the host, or tries to connect. */
    void tick() {
        if (connection != null && !polling) {
            poll(connection);
        } else if (connection == null && !connecting && System.nanoTime() - lastAttempt > BETWEEN_ATTEMPTS.toNanos()) {
            connect();
        }
    }

    /** Marks a silent host as unreachable until it accepts a connection again, and cuts its connections. */
    void abandon() {
        connectionLost(connection, new IOException("it has not answered for " + SILENCE.toMillis() + " ms"));
        access.cut();
    }

    void close() {
        closed = true;
        if (connection != null) {
            connection.close();
        }
    }

    private void connect() {
        connecting = true;
        lastAttempt = System.nanoTime();
        Future<PgConnection> opening = access.connectForPolls(CONNECT);
        opening.timeout(2 * CONNECT.toMillis(), TimeUnit.MILLISECONDS).onComplete(opened -> {
            connecting = false;
            if (opened.succeeded() && !closed) {
                connection = opened.result();
                connection.closeHandler(
                        closed -> connectionLost(opened.result(), new IOException("it closed the connection")));
                poll(connection);
            } else {
                opening.onSuccess(PgConnection::close);
                attempted = true;
                host.unavailable(describe(opened.cause()));
                changed.run();
            }
        });
    }

    private void poll(PgConnection polled) {
        polling = true;
        sent = System.nanoTime();
        polled.preparedQuery(LogPosition.POLL).execute().onComplete(answer -> {
            if (polled != connection) {
                return;
            }
            polling = false;
            attempted = true;
            if (answer.succeeded()) {
                Row row = answer.result().iterator().next();
                host.recordPoll(LogPosition.of(row));
                flushed = LogPosition.flushed(row);
                changed.run();
            } else {
                connectionLost(polled, answer.cause());
                polled.close();
            }
        });
    }

    /**
     * Returns a failure with a message that says what happened. If the server accepts a connection and then stays
     * silent, the driver's failure does not say so.
     */
    private static Throwable describe(Throwable failure) {
        return failure instanceof IOException || failure instanceof PgException
                ? failure
                : new IOException("it accepts no connection: " + failure.getMessage(), failure);
    }

    private void connectionLost(PgConnection lost, Throwable cause) {
        if (connection == lost && lost != null) {
            connection = null;
            polling = false;
            attempted = true;
            // Allow an attempt to connect at the next tick, because the host may have lost only this connection.
            lastAttempt = System.nanoTime() - BETWEEN_ATTEMPTS.toNanos();
            host.unavailable(cause);
            changed.run();
        }
    }
}
