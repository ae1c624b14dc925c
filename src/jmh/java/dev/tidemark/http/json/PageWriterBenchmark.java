package dev.tidemark.http.json;

import dev.tidemark.MicrosecondBenchmark;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.page.PageFrame;
import dev.tidemark.http.page.PageMembers;
import dev.tidemark.http.page.PageWriter;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.Position;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** The time to write a page of 30 items (about 9 kB) and to seal both of its cursors, without a database. */
public class PageWriterBenchmark extends MicrosecondBenchmark {

    private static final int LIMIT = 30;

    @Param
    private Direction direction;

    private final CursorSealer sealer = Sealers.withoutLifetime();
    private final Feed feed = SampleFeeds.messages();
    private final ItemWriter items = ItemWriter.of(feed);
    private final List<RowValues> rows = LongStream.rangeClosed(1_000_001, 1_000_000 + LIMIT)
            .<RowValues>mapToObj(MessageRow::new)
            .toList();
    private final Page page = new Page(
            LIMIT,
            Optional.of(Gap.before(Position.of("2026-01-16 10:00:00.123456+00", "1000030"))),
            Optional.of(Gap.after(Position.of("2026-01-16 09:59:30.123456+00", "1000001"))),
            true,
            true,
            Optional.empty());

    /** Writes only the items, without cursors. */
    @Benchmark
    public byte[] items() {
        PageWriter writer = new PageWriter(PageFrame.API, new PageItems(items, Integer.MAX_VALUE), direction, LIMIT);
        rows.forEach(writer::accept);
        return writer.finish(members -> {});
    }

    @Benchmark
    public byte[] page() {
        PageWriter writer = new PageWriter(PageFrame.API, new PageItems(items, Integer.MAX_VALUE), direction, LIMIT);
        rows.forEach(writer::accept);
        ListState state = SampleFeeds.listState(feed, "newest");
        return writer.finish(PageMembers.seal(page, state, LIMIT, Optional.empty(), sealer)::write);
    }
}
