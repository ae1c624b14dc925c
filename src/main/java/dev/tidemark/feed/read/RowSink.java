package dev.tidemark.feed.read;

/**
 * Receives the rows of a page in reading direction: the row nearest to the gap comes first. The rows of a page around a
 * gap come in the order of the list.
 */
@FunctionalInterface
public interface RowSink {

    void accept(RowValues row);

    /**
     * Receives a row that was not written since {@link dev.tidemark.paging.PageRequest#since}. It is called instead of
     * {@link #accept}. The row has only the columns of the key and of the order; all other columns read as NULL.
     */
    default void acceptUnchanged(RowValues row) {}
}
