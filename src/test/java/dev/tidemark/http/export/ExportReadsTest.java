package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.PageRange;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.WideColumns;
import dev.tidemark.http.query.ListParser;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reads of an export. The test itself completes them. */
class ExportReadsTest {

    private static final Duration STALL_TIMEOUT = Duration.ofMillis(100);

    private final Vertx vertx = Vertx.vertx();
    private final HeldReader reader = new HeldReader();
    private final ExportWalk walk = walk();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void theFirstPageIsSmallBecauseItsItemsCanBeLarge() {
        walk.begin().subscribe().asCompletionStage();
        assertThat(reader.read(0).limit()).isEqualTo(20);
    }

    @Test
    void rowsThatArriveAfterAFailureAreNotExported() {
        walk.begin().subscribe().asCompletionStage();
        reader.read(0).deliverRow();
        reader.read(0).complete(true);
        CompletableFuture<Void> failed = walk.next().subscribe().asCompletionStage();
        reader.read(1).answer().fail(new ReadFailure(ReadFailure.Reason.OVERLOADED, new Exception("given up")));
        assertThat(failed).isCompletedExceptionally();

        walk.next().subscribe().asCompletionStage();
        reader.read(1).deliverRow();
        reader.read(2).deliverRow();
        reader.read(2).complete(false);

        assertThat(new String(walk.takeLines(), StandardCharsets.UTF_8))
                .matches("\\{\"item\":\\{}\n\\{\"end\":\\{\"items\":2,\"cursor\":\"[\\w-]+\"}}\n");
    }

    @Test
    void theFirstPageMayTakeLongerThanAClientMayStall() {
        AtomicInteger ends = new AtomicInteger();
        CompletableFuture<ExportStream> begun = new CompletableFuture<>();
        Context context = vertx.getOrCreateContext();
        context.runOnContext(now -> {
            ExportStream stream = new ExportStream(
                    vertx,
                    null,
                    false,
                    walk,
                    new ExportPauses(() -> 0, () -> 1),
                    STALL_TIMEOUT,
                    failure -> null,
                    ended -> ends.incrementAndGet());
            stream.begin().subscribe().with(begun::complete, begun::completeExceptionally);
        });
        Await.until("the first page is being read", () -> reader.readCount() == 1);
        long start = System.nanoTime();
        Await.until("a client would have stalled", () -> System.nanoTime() - start > 2 * STALL_TIMEOUT.toNanos());
        assertThat(ends).hasValue(0);

        context.runOnContext(now -> reader.read(0).complete(false));
        assertThat(begun.join().itemCount()).isEqualTo(1);
        Await.until("the export has ended, because its response is never written", () -> ends.get() == 1);
    }

    /** The walk of an export without columns. */
    private ExportWalk walk() {
        Feed feed = SampleFeeds.messages();
        ServedFeed served = new ServedFeed(
                feed,
                new ListParser(feed),
                false,
                ItemWriter.of(feed),
                WideColumns.of(feed),
                Optional.empty(),
                null,
                null);
        ParsedQuery first = new ParsedQuery(
                PageFormat.API,
                SampleFeeds.listState(feed, "newest"),
                new PageRange(Optional.empty(), Optional.empty()),
                100,
                Optional.of(Set.of()),
                Optional.empty(),
                Optional.empty());
        return new ExportWalk(
                served,
                new ExportWalk.ExportQuery(first, 1_000, Caller.ANYBODY),
                new QueryOpener(Sealers.withoutLifetime(), Sealers.moments(), reader),
                reader,
                Sealers.withoutLifetime(),
                Sealers.moments(),
                Integer.MAX_VALUE);
    }
}
