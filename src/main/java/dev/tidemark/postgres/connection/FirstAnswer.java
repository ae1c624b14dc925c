package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.wire.DriverFailures;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Future;
import io.vertx.mutiny.sqlclient.Pool;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Waits for a database that does not answer yet, and says of one that never does what the matter is. */
public final class FirstAnswer {

    private static final Logger LOG = Logger.getLogger(FirstAnswer.class);

    private final Pool pool;
    private final Supplier<Future<Void>> handshake;

    /** @param handshake tries TLS once more */
    public FirstAnswer(Pool pool, Supplier<Future<Void>> handshake) {
        this.pool = pool;
        this.handshake = handshake;
    }

    public Uni<Void> within(Duration within) {
        return pool.query("SELECT 1")
                .execute()
                .onFailure(Failures::isUnreachable)
                .invoke(away -> LOG.warnf("Waiting for the database: %s", Failures.reason(away)))
                .onFailure(Failures::isUnreachable)
                .retry()
                .withBackOff(Duration.ofMillis(250), Duration.ofSeconds(3))
                .expireIn(within.toMillis())
                // The retry says only that it has given up.
                .onFailure(IllegalStateException.class)
                .transform(Throwable::getCause)
                .onFailure(DriverFailures::isHandshake)
                .recoverWithUni(failure -> UniHelper.toUni(handshake.get())
                        .chain(() -> Uni.createFrom().failure(failure)))
                .onFailure(Failures::isUntrusted)
                .transform(untrusted -> new IOException(Failures.reason(untrusted)))
                .ifNoItem()
                .after(within.plusSeconds(1))
                .failWith(() -> new IOException("nothing that speaks PostgreSQL's protocol answers there"))
                .replaceWithVoid();
    }
}
