package dev.tidemark.feed.read;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;

/** Reads pages of lists. */
public interface FeedReader {

    /**
     * Reads one page. Its rows, {@link Page#hasPrevious}, and {@link Page#hasNext} come from one statement, and so
     * from one snapshot, unless the list is read from several shards of Citus. The rows, at most
     * {@link PageRequest#limit}, are passed to the sink before the result is available. If reading fails, the caller
     * must discard the rows and the sink, because rows of an abandoned statement can arrive later, on another thread.
     *
     * @return the metadata of the page, or a failure of type {@link ReadFailure}
     */
    Uni<Page> read(ListState state, PageRequest request, RowSink sink);

    /**
     * Like {@link #read}, but the page shows every change that {@link FeedChanges} has reported. Looks at ten times
     * as many rows of a search.
     */
    Uni<Page> readAfterChange(ListState state, PageRequest request, RowSink sink);

    /**
     * Returns whether an index serves the list, and the list is no search. Reads of the other lists are slow, and
     * share a few connections.
     */
    boolean isServedByIndex(ListState state);

    /**
     * Reads one page by offset. The feed does not need a key. The cost grows with the offset, and a scroll repeats or
     * skips items if items before the page are inserted or deleted meanwhile.
     */
    Uni<OffsetPage> read(ListState state, OffsetRequest request, RowSink sink);

    /**
     * An item that has been found by its key.
     *
     * @param position the position of the item in the list's order
     * @param floor a page that shows this database state or a later one contains the item, unless the item has left
     *     the list; empty if any state does
     */
    record FoundItem(Position position, Optional<Floor> floor) {}

    /**
     * Finds the position of an item by its key.
     *
     * @param key one value for each column of the relation's key, in key order
     * @param floor the oldest database state that may be read; empty if any state is acceptable
     * @return empty if the list does not contain the item. A failure of type {@link ReadFailure} if only a database
     *     state that cannot be read now might contain it
     */
    Uni<Optional<FoundItem>> locate(ListState state, List<String> key, Optional<Floor> floor);
}
