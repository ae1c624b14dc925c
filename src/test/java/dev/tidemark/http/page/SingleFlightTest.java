package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.paging.Direction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A read of one page that several requests of one event loop share. */
class SingleFlightTest {

    private static final WrittenPage PAGE = new WrittenPage(
            new TaggedBody(new byte[0], "tag"),
            PageFormat.API,
            SampleFeeds.messages().orders().byDefault(),
            Direction.FORWARD,
            new PageMembers(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    0,
                    false,
                    30,
                    Optional.empty()),
            "");

    private final SingleFlight singleFlight = new SingleFlight(() -> true, new SimpleMeterRegistry());
    private final Vertx vertx = Vertx.vertx();
    private final ContextInternal loop = (ContextInternal) vertx.getOrCreateContext();
    private final List<ContextInternal> readContexts = new ArrayList<>();
    private final List<ContextInternal> completionContexts = new ArrayList<>();
    private final List<UniEmitter<? super WrittenPage>> pendingReads = new ArrayList<>();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aReadThatEndsInAJvmErrorFailsItsWaiters() {
        assertThatThrownBy(() -> joinFlight(loop.duplicate(), () -> {
                            throw new StackOverflowError();
                        })
                        .join())
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(joinFlight(loop.duplicate(), () -> Uni.createFrom().item(PAGE))
                        .join())
                .isSameAs(PAGE);
    }

    @Test
    void eachRequestContinuesInItsOwnContext() {
        ContextInternal first = loop.duplicate();
        ContextInternal second = loop.duplicate();
        ContextInternal third = loop.duplicate();
        List<CompletableFuture<WrittenPage>> pages = List.of(
                joinFlight(first, this::startRead),
                joinFlight(second, this::startRead),
                joinFlight(third, this::startRead));
        endRead(0);
        assertThat(pages.get(0).join()).isSameAs(PAGE);
        assertThat(pages.get(1)).isNotDone();
        endRead(1);
        pages.forEach(CompletableFuture::join);
        assertThat(readContexts).containsExactly(first, second);
        assertThat(completionContexts).containsExactly(first, second, third);
    }

    private Uni<WrittenPage> startRead() {
        readContexts.add(ContextInternal.current());
        return Uni.createFrom().emitter(pendingReads::add);
    }

    private void endRead(int index) {
        loop.runOnContext(here -> pendingReads.get(index).complete(PAGE));
    }

    private CompletableFuture<WrittenPage> joinFlight(ContextInternal context, Supplier<Uni<WrittenPage>> read) {
        CompletableFuture<WrittenPage> page = new CompletableFuture<>();
        context.runOnContext(here -> singleFlight
                .read("page", read)
                .onTermination()
                .invoke(() -> completionContexts.add(ContextInternal.current()))
                .subscribe()
                .with(page::complete, page::completeExceptionally));
        return page;
    }
}
