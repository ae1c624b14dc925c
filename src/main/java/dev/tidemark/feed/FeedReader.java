package dev.tidemark.feed;

import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;

/** Reads pages of a list. */
public interface FeedReader {

    /**
     * Reads one page whose rows and both of whose flags are of one statement, and so of one moment. At most
     * {@link PageRequest#limit} rows go to the sink before the page's facts arrive; when reading fails, what the sink
     * took is to be thrown away.
     *
     * @return the page's facts, or a failure of type {@link ReadFailure}
     */
    Uni<Page> read(ListState state, PageRequest request, RowSink sink);

    /**
     * The same for a page that is reached by counting, at a cost that grows with the number of items before it. It needs no
     * key, and repeats and misses items where the list changes before it.
     */
    Uni<OffsetPage> read(ListState state, OffsetRequest request, RowSink sink);

    /**
     * Finds an item of the list by its key.
     *
     * @param key a value for each column of the relation's key, in the key's sequence
     * @return where it stands in the list's order; nothing if no such item is in this list
     */
    Uni<Optional<Position>> locate(ListState state, List<String> key);
}
