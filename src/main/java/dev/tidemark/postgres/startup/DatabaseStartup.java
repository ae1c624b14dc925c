package dev.tidemark.postgres.startup;

import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.connection.UnusableSessionException;
import dev.tidemark.postgres.wire.DriverFailures;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Future;
import io.vertx.mutiny.sqlclient.Pool;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Waits at startup until the database answers, and fails with the reason if it does not. */
public final class DatabaseStartup {

    private static final Logger LOG = Logger.getLogger(DatabaseStartup.class);

    private DatabaseStartup() {}

    /**
     * Completes when the database has answered. Retries while the database is unreachable or starting up. Fails if the
     * database rejects the connection for another reason, or has not answered within the given time.
     *
     * @param handshake attempts a TLS handshake; its failure states the cause, which the driver does not report
     * @param session attempts to open a session; its failure states why the pool has closed one
     */
    public static Uni<Void> await(
            Pool pool, Supplier<Future<Void>> handshake, Supplier<Future<Void>> session, Duration timeout) {
        // The connection is released before the result is emitted. Otherwise, the next queries would open another
        // connection.
        return pool.withConnection(connection -> connection.query("SELECT 1").execute())
                .onFailure(Failures::isUnreachable)
                .invoke(failure -> LOG.warnf("Waiting for the database: %s", Failures.reason(failure)))
                .onFailure(Failures::isUnreachable)
                .retry()
                .withBackOff(Duration.ofMillis(250), Duration.ofSeconds(3))
                .expireIn(timeout.toMillis())
                // After the last attempt, the retry wraps the failure in an exception of its own.
                .onFailure(IllegalStateException.class)
                .transform(Throwable::getCause)
                .onFailure(DriverFailures::isHandshakeFailure)
                .recoverWithUni(failure -> UniHelper.toUni(handshake.get())
                        .chain(() -> Uni.createFrom().failure(failure)))
                .onFailure(DriverFailures::isClosedBeforeUse)
                .recoverWithUni(failure -> UniHelper.toUni(session.get())
                        .chain(() -> Uni.createFrom().failure(failure)))
                .onFailure(failure -> failure instanceof IOException
                        || failure instanceof UnusableSessionException
                        || Failures.isUntrustedCertificate(failure))
                .transform(failure -> new IOException(Failures.reason(failure)))
                .ifNoItem()
                .after(timeout.plusSeconds(1))
                .failWith(() -> new IOException("the address has not answered within "
                        + timeout.plusSeconds(1).toSeconds() + " s"))
                .replaceWithVoid();
    }
}
