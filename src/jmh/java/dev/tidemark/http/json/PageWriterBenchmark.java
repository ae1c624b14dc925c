package dev.tidemark.http.json;

import dev.tidemark.MicrosecondBenchmark;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.PageMembers;
import dev.tidemark.http.page.PageWriter;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.Position;
import dev.tidemark.paging.SamplePages;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The time to write a page of 30 items (about 9 kB), to seal both of its cursors, and to compute its entity tag, without
 * a database.
 */
public class PageWriterBenchmark extends MicrosecondBenchmark {

    private static final int LIMIT = 30;

    private static final PageMembers NO_CURSORS = new PageMembers(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            LIMIT,
            false,
            LIMIT,
            Optional.empty());

    @Param
    private Direction direction;

    private final CursorSealer sealer = Sealers.withoutLifetime();
    private final KeyedHash hash = Sealers.hash();
    private final Feed feed = SampleFeeds.messages();
    private final ItemWriter items = ItemWriter.of(feed);
    private final List<RowValues> rows = LongStream.rangeClosed(1_000_001, 1_000_000 + LIMIT)
            .<RowValues>mapToObj(MessageRow::new)
            .toList();
    private final Page page = SamplePages.of(
            LIMIT,
            Gap.before(Position.of("2026-01-16 10:00:00.123456+00", "1000030")),
            Gap.after(Position.of("2026-01-16 09:59:30.123456+00", "1000001")),
            true,
            true);

    /** Writes only the items, without cursors. */
    @Benchmark
    public TaggedBody items() {
        return write(NO_CURSORS);
    }

    @Benchmark
    public TaggedBody page() {
        ListState state = SampleFeeds.listState(feed, "newest");
        return write(PageFormat.API.seal(page, state, LIMIT, Optional.empty(), sealer));
    }

    private TaggedBody write(PageMembers members) {
        PageWriter writer = new PageWriter(
                PageFormat.API,
                new PageItems(items, Optional.empty(), Integer.MAX_VALUE),
                Optional.empty(),
                direction,
                LIMIT);
        rows.forEach(writer::accept);
        return writer.finish(members, Optional.empty(), hash);
    }
}
