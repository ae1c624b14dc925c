package dev.tidemark.http.export;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.paging.SamplePages;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A feed reader whose reads end when the test decides. Rows have no values, so only exports without columns can use
 * it.
 */
final class HeldReader implements FeedReader {

    private final List<Read> reads = new ArrayList<>();

    record Read(int limit, RowSink sink, UniEmitter<? super Page> answer) {

        void deliverRow() {
            sink.accept(null);
        }

        /** Ends the read with a page of one row. The row itself is delivered by {@link #deliverRow}. */
        void complete(boolean hasNext) {
            Position at = Position.of("2026-01-16 10:00:00+00", "1");
            answer.complete(SamplePages.of(1, Gap.before(at), Gap.after(at), false, hasNext));
        }
    }

    synchronized int readCount() {
        return reads.size();
    }

    synchronized Read read(int index) {
        return reads.get(index);
    }

    @Override
    public Uni<Page> read(ListState state, PageRequest request, RowSink sink) {
        return Uni.createFrom().emitter(answer -> {
            synchronized (this) {
                reads.add(new Read(request.limit(), sink, answer));
            }
        });
    }

    @Override
    public Uni<Page> readAfterChange(ListState state, PageRequest request, RowSink sink) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isServedByIndex(ListState state) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Uni<OffsetPage> read(ListState state, OffsetRequest request, RowSink sink) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Uni<Optional<FoundItem>> locate(ListState state, List<String> key, Optional<Floor> floor) {
        throw new UnsupportedOperationException();
    }
}
