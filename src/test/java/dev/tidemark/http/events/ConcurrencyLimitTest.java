package dev.tidemark.http.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.operators.AbstractUni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {

    private final ConcurrencyLimit limit = new ConcurrencyLimit(1);
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());
    private UniEmitter<? super String> running;

    @Test
    void aTaskWaitsUntilAPermitIsFree() {
        run(Uni.createFrom().emitter(emitter -> running = emitter));
        run(Uni.createFrom().item("second"));
        assertThat(ended).isEmpty();
        running.complete("first");
        assertThat(ended).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void thousandsOfWaitingTasksThatFailAtOnceAllEnd() {
        run(Uni.createFrom().emitter(emitter -> running = emitter));
        for (int i = 0; i < 20_000; i++) {
            run(Uni.createFrom().failure(new IllegalStateException("rejected")));
        }
        running.complete("first");
        run(Uni.createFrom().item("last"));
        assertThat(ended).hasSize(20_002).contains("first").endsWith("last");
    }

    @Test
    void aTaskThatThrowsKeepsNoPermit() {
        run(new AbstractUni<>() {
            @Override
            public void subscribe(UniSubscriber<? super String> subscriber) {
                throw new IllegalStateException("thrown");
            }
        });
        run(Uni.createFrom().item("second"));
        assertThat(ended).containsExactly("second");
    }

    @Test
    void aPermitThatRestsIsNotFree() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            limit.applyAndRest(Uni.createFrom().item("first"), false, Duration.ofMillis(50), vertx)
                    .subscribe()
                    .with(ended::add);
            run(Uni.createFrom().item("second"));
            assertThat(ended).containsExactly("first");
            Await.until("the permit is free again", () -> ended.equals(List.of("first", "second")));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void urgentTasksGoFirstButNotTwoOneAfterTheOther() throws Exception {
        Vertx vertx = Vertx.vertx();
        run(Uni.createFrom().emitter(emitter -> running = emitter));
        run(Uni.createFrom().item("second"));
        for (int i = 1; i <= 2; i++) {
            limit.applyAndRest(Uni.createFrom().item("urgent " + i), true, Duration.ZERO, vertx)
                    .subscribe()
                    .with(ended::add);
        }
        running.complete("first");
        Await.until("all have ended", () -> ended.size() == 4);
        vertx.close().toCompletionStage().toCompletableFuture().join();
        assertThat(ended).contains("first").containsSubsequence("urgent 1", "second", "urgent 2");
    }

    private void run(Uni<String> task) {
        limit.apply(task).subscribe().with(ended::add, failure -> ended.add(failure.getMessage()));
    }
}
