package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.events.EventStream;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A stream whose client reads late or never. The test replaces the response, because a network would buffer all that
 * such a client does not read.
 */
class SlowClientTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> writes = new ArrayList<>();
    private final Deque<Consumer<Throwable>> pendingWrites = new ArrayDeque<>();
    private final AtomicInteger watches = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aSlowClientReceivesOnlyTheLatestNumber() {
        LatestCount counts = openStream(Duration.ofHours(1));
        assertThat(inContext(() -> List.copyOf(writes))).containsExactly("0");
        for (int i = 1; i <= 50; i++) {
            counts.onCount(FreshCount.of(i));
        }
        assertThat(inContext(() -> List.copyOf(writes))).containsExactly("0");
        letClientRead();
        assertThat(inContext(() -> List.copyOf(writes))).containsExactly("0", "50");
        letClientRead();
        assertThat(inContext(() -> List.copyOf(writes))).containsExactly("0", "50");
    }

    @Test
    void aClientThatReadsNothingBetweenTwoHeartbeatsIsDisconnected() {
        openStream(Duration.ofMillis(30));
        Await.until("the stream has ended", () -> ends.get() == 1 && watches.get() == 0);
        assertThat(inContext(() -> List.copyOf(writes))).containsExactly("0", "end");
    }

    private LatestCount openStream(Duration heartbeat) {
        return inContext(() -> {
            LatestCount counts = new LatestCount();
            EventStream stream = new EventStream(vertx, counts, heartbeat, ended -> ends.incrementAndGet());
            stream.begin(begun -> {
                        watches.incrementAndGet();
                        counts.sendTo(begun);
                        counts.onCount(FreshCount.of(0));
                        return watches::decrementAndGet;
                    })
                    .subscribe()
                    .with(begun -> begun.writeTo(response(), () -> {}));
            return counts;
        });
    }

    private void letClientRead() {
        inContext(() -> {
            pendingWrites.remove().accept(null);
            return null;
        });
    }

    private <T> T inContext(Supplier<T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        // Runs after the tasks that the stream has queued on this context.
        context.runOnContext(soon -> context.runOnContext(now -> done.complete(call.get())));
        return done.join();
    }

    private ServerHttpResponse response() {
        return (ServerHttpResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServerHttpResponse.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "write" -> {
                            writes.add(new String((byte[]) arguments[0], StandardCharsets.UTF_8).replaceAll("\\D", ""));
                            pendingWrites.add(asConsumer(arguments[1]));
                        }
                        case "end" -> writes.add("end");
                        case "closed" -> {
                            return false;
                        }
                        default -> {}
                    }
                    return proxy;
                });
    }

    @SuppressWarnings("unchecked")
    private static Consumer<Throwable> asConsumer(Object argument) {
        return (Consumer<Throwable>) argument;
    }
}
