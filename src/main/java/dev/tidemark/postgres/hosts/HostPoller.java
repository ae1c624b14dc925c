package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.connection.HostAccess;
import dev.tidemark.postgres.hosts.HostState.Unpolled;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Polls one host over a connection of its own. Runs in one Vert.x context; not thread-safe. */
final class HostPoller {

    private static final Duration ATTEMPT_INTERVAL = Duration.ofMillis(500);

    /**
     * A connection is closed when nothing has been sent or received for this long. An attempt to connect fails after
     * twice this time; without this limit, an attempt to connect to an unreachable machine would take much longer to
     * fail.
     */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(2);

    /** A host that has not answered a poll for this long counts as silent. */
    private static final Duration LONGEST_SILENCE = Duration.ofMillis(750);

    private final Host host;
    private final HostAccess access;
    private final Runnable onChange;
    private @Nullable PgConnection connection;
    private boolean connecting;
    private boolean closed;
    private long lastAttemptNanos = System.nanoTime() - ATTEMPT_INTERVAL.toNanos();

    /**
     * When the wait for the answer to the current poll began or was restarted, by {@link System#nanoTime}; valid only
     * while {@link #polling}.
     */
    private long waitStartNanos;

    private boolean polling;
    private long flushOrReplayLsn;

    /** @param onChange runs when the host's state may have changed */
    HostPoller(Host host, HostAccess access, Runnable onChange) {
        this.host = host;
        this.access = access;
        this.onChange = onChange;
    }

    Host host() {
        return host;
    }

    /** The flush LSN of a primary, or the replay LSN of a standby, at the last poll. */
    long flushOrReplayLsn() {
        return flushOrReplayLsn;
    }

    /** Whether the first poll has ended: with an answer, a lost connection, or a failed attempt to connect. */
    boolean wasPolled() {
        return !(host.state() instanceof Unpolled);
    }

    /** Whether a poll has waited too long for its answer. */
    boolean isSilent() {
        return polling && System.nanoTime() - waitStartNanos > LONGEST_SILENCE.toNanos();
    }

    /**
     * Restarts the wait for the answer to the current poll. Called if this process could not read answers for a while.
     */
    void restartWait() {
        waitStartNanos = System.nanoTime();
    }

    /** Polls the host, or tries to connect to it. */
    void pollOrConnect() {
        if (connection != null && !polling) {
            poll(connection);
        } else if (connection == null
                && !connecting
                && System.nanoTime() - lastAttemptNanos > ATTEMPT_INTERVAL.toNanos()) {
            connect();
        }
    }

    /** Marks a silent host as unavailable until it answers over a new connection, and cuts its connections. */
    void abandon() {
        onConnectionLost(connection, new IOException("it has not answered for " + LONGEST_SILENCE.toMillis() + " ms"));
        access.cut();
    }

    /** Stops polling. The host's state no longer changes. */
    void close() {
        closed = true;
        if (connection != null) {
            PgConnection open = connection;
            connection = null;
            open.close();
        }
    }

    private void connect() {
        connecting = true;
        lastAttemptNanos = System.nanoTime();
        Future<PgConnection> opening = access.connectForPolls(IDLE_TIMEOUT);
        opening.timeout(2 * IDLE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).onComplete(opened -> {
            connecting = false;
            if (closed) {
                opening.onSuccess(PgConnection::close);
            } else if (opened.succeeded()) {
                PgConnection newConnection = opened.result();
                connection = newConnection;
                newConnection.closeHandler(
                        ended -> onConnectionLost(newConnection, new IOException("it closed the connection")));
                poll(newConnection);
            } else {
                opening.onSuccess(PgConnection::close);
                host.markUnavailable(withExplanation(opened.cause()));
                onChange.run();
            }
        });
    }

    private void poll(PgConnection polledConnection) {
        polling = true;
        waitStartNanos = System.nanoTime();
        polledConnection.preparedQuery(LogPosition.POLL_SQL).execute().onComplete(answer -> {
            if (polledConnection != connection) {
                return;
            }
            polling = false;
            if (answer.succeeded()) {
                Row row = answer.result().iterator().next();
                host.recordPoll(LogPosition.ofPoll(row));
                flushOrReplayLsn = LogPosition.flushOrReplayLsn(row);
                onChange.run();
            } else {
                onConnectionLost(polledConnection, answer.cause());
                polledConnection.close();
            }
        });
    }

    /**
     * Returns a failure whose message says what happened. If the server accepts the connection and then stays silent,
     * the driver's own message doesn't say so.
     */
    private static Throwable withExplanation(Throwable failure) {
        return failure instanceof IOException || failure instanceof PgException
                ? failure
                : new IOException("a connection could not be opened: " + failure.getMessage(), failure);
    }

    private void onConnectionLost(@Nullable PgConnection lostConnection, Throwable cause) {
        if (connection == lostConnection && lostConnection != null) {
            connection = null;
            polling = false;
            // Allow an attempt to connect at the next tick, because the host may still be available.
            lastAttemptNanos = System.nanoTime() - ATTEMPT_INTERVAL.toNanos();
            host.markUnavailable(cause);
            onChange.run();
        }
    }
}
