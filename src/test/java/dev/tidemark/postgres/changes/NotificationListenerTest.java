package dev.tidemark.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.FaultyProxy;
import dev.tidemark.local.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A NotificationListener whose database is unreachable, rejects LISTEN or does not respond. */
@BesideQuarkusTests
class NotificationListenerTest {

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final Vertx vertx = Vertx.vertx();
    private final Semaphore listeningStarts = new Semaphore(0);
    private final Semaphore attempts = new Semaphore(0);
    private final AtomicInteger handlerCalls = new AtomicInteger();

    private final NotificationListener.Handler handler = new NotificationListener.Handler() {
        @Override
        public void onNotification(String payload) {
            handlerCalls.incrementAndGet();
        }

        @Override
        public void onListening() {
            handlerCalls.incrementAndGet();
            listeningStarts.release();
        }

        @Override
        public void onConnectionLost() {
            handlerCalls.incrementAndGet();
        }
    };

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void anUnreachableDatabaseIsRetried() throws InterruptedException {
        NotificationListener listener = startListener(new ConnectException("away"));
        assertThat(attempts.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
        listener.close();
        assertThat(handlerCalls).hasValue(0);
    }

    @Test
    void aStandbyThatRejectsListenIsRetriedLater() throws InterruptedException {
        NotificationListener listener =
                startListener(new PgException("cannot execute LISTEN during recovery", "ERROR", "25006", null));
        assertThat(attempts.tryAcquire(1, 10, TimeUnit.SECONDS)).isTrue();
        assertThat(attempts.tryAcquire(1, 700, TimeUnit.MILLISECONDS)).isFalse();
        listener.close();
        assertThat(handlerCalls).hasValue(0);
    }

    @Test
    void aStandbyThatRejectedListenIsRetriedAtOnceWhenItIsPromoted() throws InterruptedException {
        NotificationListener listener =
                startListener(new PgException("cannot execute LISTEN during recovery", "ERROR", "25006", null));
        assertThat(attempts.tryAcquire(1, 10, TimeUnit.SECONDS)).isTrue();
        Await.until("another attempt is made before the next one is due", () -> {
            listener.retry();
            return attempts.tryAcquire();
        });
        listener.close();
    }

    @Test
    void aConnectionThatNeverOpensIsRetried() throws InterruptedException {
        NotificationListener listener =
                startListener(Promise.<PgConnection>promise().future());
        assertThat(attempts.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
        listener.close();
        assertThat(handlerCalls).hasValue(0);
    }

    /**
     * The listener must not wait until the old connection is closed: that would need a response, which never comes.
     */
    @Test
    void aSilentConnectionIsReplaced() throws InterruptedException, IOException {
        try (FaultyProxy proxy = new FaultyProxy(TestPostgres.port())) {
            PgConnectOptions server = PgConnectOptions.fromUri(TestPostgres.newDatabase())
                    .setUser("postgres")
                    .setPort(proxy.port());
            NotificationListener listener = startListener(() -> PgConnection.connect(vertx, server));
            assertThat(listeningStarts.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            proxy.silence();
            assertThat(listeningStarts.tryAcquire(10, TimeUnit.SECONDS))
                    .as("listens again")
                    .isTrue();
            listener.close();
            assertThat(handlerCalls).as("listening, lost, listening").hasValue(3);
        }
    }

    private NotificationListener startListener(Throwable failure) {
        return startListener(Future.failedFuture(failure));
    }

    private NotificationListener startListener(Future<PgConnection> connecting) {
        return startListener(() -> connecting);
    }

    private NotificationListener startListener(Supplier<Future<PgConnection>> connect) {
        NotificationListener listener = new NotificationListener(
                vertx,
                () -> {
                    attempts.release();
                    return connect.get();
                },
                handler,
                TIMEOUT);
        listener.start();
        return listener;
    }
}
