package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.SlowResponse;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A stream whose client reads late or never.
 */
class SlowClientTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final SlowResponse client = new SlowResponse();
    private final AtomicInteger watches = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aSlowClientReceivesOnlyTheLatestNumber() {
        LatestCount counts = openStream(Duration.ofHours(1));
        assertThat(inContext(this::writes)).containsExactly("0");
        for (int i = 1; i <= 50; i++) {
            counts.onCount(FreshCount.of(i));
        }
        assertThat(inContext(this::writes)).containsExactly("0");
        letClientRead();
        assertThat(inContext(this::writes)).containsExactly("0", "50");
        letClientRead();
        assertThat(inContext(this::writes)).containsExactly("0", "50");
    }

    @Test
    void aClientThatReadsNothingBetweenTwoHeartbeatsIsDisconnected() {
        openStream(Duration.ofMillis(30));
        Await.until("the stream has ended", () -> ends.get() == 1 && watches.get() == 0);
        assertThat(inContext(this::writes)).containsExactly("0", "abort");
    }

    private LatestCount openStream(Duration heartbeat) {
        return inContext(() -> {
            LatestCount counts = new LatestCount();
            EventStream stream = new EventStream(
                    vertx, counts, heartbeat, () -> client.writes().add("abort"), ended -> ends.incrementAndGet());
            stream.begin(begun -> {
                        watches.incrementAndGet();
                        counts.sendTo(begun);
                        counts.onCount(FreshCount.of(0));
                        return watches::decrementAndGet;
                    })
                    .subscribe()
                    .with(begun -> begun.writeTo(client.response(), () -> {}));
            return counts;
        });
    }

    private List<String> writes() {
        return client.writes().stream()
                .map(write -> write.startsWith("event") ? write.replaceAll("\\D", "") : write)
                .toList();
    }

    private void letClientRead() {
        inContext(() -> {
            client.accept();
            return null;
        });
    }

    private <T> T inContext(Supplier<T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        // Runs after the tasks that the stream has queued on this context.
        context.runOnContext(soon -> context.runOnContext(now -> done.complete(call.get())));
        return done.join();
    }
}
