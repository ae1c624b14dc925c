package dev.tidemark.postgres;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads pages alternately over the pinned connection of an event loop and over a pool. Pages at offsets are always
 * read over a pool.
 */
final class AlternatingFeedReader implements FeedReader {

    private final FeedReader reader;
    private final Context loop;
    private final AtomicInteger reads = new AtomicInteger();

    AlternatingFeedReader(FeedReader reader, Context loop) {
        this.reader = reader;
        this.loop = loop;
    }

    @Override
    public Uni<Page> read(ListState state, PageRequest request, RowSink sink) {
        Uni<Page> read = Uni.createFrom().deferred(() -> reader.read(state, request, sink));
        return reads.incrementAndGet() % 2 == 0
                ? read
                : read.runSubscriptionOn(task -> loop.runOnContext(now -> task.run()));
    }

    @Override
    public Uni<Page> readAfterChange(ListState state, PageRequest request, RowSink sink) {
        return reader.readAfterChange(state, request, sink);
    }

    @Override
    public boolean isServedByIndex(ListState state) {
        return reader.isServedByIndex(state);
    }

    @Override
    public Uni<OffsetPage> read(ListState state, OffsetRequest request, RowSink sink) {
        return reader.read(state, request, sink);
    }

    @Override
    public Uni<Optional<FoundItem>> locate(ListState state, List<String> key, Optional<Floor> floor) {
        return reader.locate(state, key, floor);
    }
}
