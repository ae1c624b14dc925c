package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import java.net.ConnectException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of listening where there is nobody to listen to. */
class ListeningTest {

    private final Vertx vertx = Vertx.vertx();
    private final Semaphore attempts = new Semaphore(0);
    private final AtomicInteger told = new AtomicInteger();

    private final Listening.Ear ear = new Listening.Ear() {
        @Override
        public void notification(String payload) {
            told.incrementAndGet();
        }

        @Override
        public void listens() {
            told.incrementAndGet();
        }

        @Override
        public void deaf() {
            told.incrementAndGet();
        }
    };

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aDatabaseThatIsAwayIsTriedAgainAndAgain() throws InterruptedException {
        Listening listening = listening(new ConnectException("away"));
        assertThat(attempts.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
        listening.close();
        assertThat(told).hasValue(0);
    }

    @Test
    void aStandbyThatRefusesIsLeftInPeaceForAWhile() throws InterruptedException {
        Listening listening =
                listening(new PgException("cannot execute LISTEN during recovery", "ERROR", "25006", null));
        assertThat(attempts.tryAcquire(1, 10, TimeUnit.SECONDS)).isTrue();
        assertThat(attempts.tryAcquire(1, 700, TimeUnit.MILLISECONDS)).isFalse();
        listening.close();
        assertThat(told).hasValue(0);
    }

    private Listening listening(Throwable failure) {
        Listening listening = new Listening(
                vertx,
                () -> {
                    attempts.release();
                    return Future.failedFuture(failure);
                },
                ear);
        listening.start();
        return listening;
    }
}
