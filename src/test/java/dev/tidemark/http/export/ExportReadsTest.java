package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.ParsedQuery;
import dev.tidemark.http.page.QueryOpener;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.page.WideColumns;
import dev.tidemark.http.query.ListParser;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The reads of an export. The test itself completes them. */
class ExportReadsTest {

    private final HeldReader reader = new HeldReader();
    private final ExportWalk walk = walk();

    @Test
    void theFirstReadIsSmallBecauseItsItemsCanBeLarge() {
        walk.first().subscribe().asCompletionStage();
        assertThat(reader.read(0).limit()).isEqualTo(20);
    }

    @Test
    void rowsOfAFailedReadAreNotExported() {
        walk.first().subscribe().asCompletionStage();
        reader.read(0).deliverRow();
        reader.read(0).complete(true);
        CompletableFuture<byte[]> failed = walk.next().subscribe().asCompletionStage();
        reader.read(1).deliverRow();
        reader.read(1).answer().fail(new ReadFailure(ReadFailure.Reason.OVERLOADED, new Exception("given up")));
        assertThat(failed).isCompletedExceptionally();
        reader.read(1).deliverRow();

        assertThat(walk.fail("{}".getBytes(StandardCharsets.UTF_8)))
                .hasValueSatisfying(last ->
                        assertThat(last).asString(StandardCharsets.UTF_8).isEqualTo("{\"problem\":{}}\n"));
        assertThat(walk.hasNext()).isFalse();
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
                Optional.empty(),
                Optional.empty(),
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
                new NdjsonLines(served.pageItems(Optional.of(Set.of()), Integer.MAX_VALUE)));
    }
}
