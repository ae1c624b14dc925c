package dev.tidemark.feed;

import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;

/** Reads pages of a list. */
public interface FeedReader {

    /**
     * Reads one page in one statement, so that its rows and both of its flags are of one moment. At most
     * {@link PageRequest#limit} rows go to the sink before the page's facts arrive; when reading fails, what the sink
     * took is to be thrown away.
     *
     * @return the page's facts, or a failure of type {@link ReadFailure}
     */
    Uni<Page> read(ListState state, PageRequest request, RowSink sink);
}
