package dev.tidemark.feed.read;

/**
 * Receives the rows of a page in reading direction: the rows of a backward page come in reverse order. The rows of a
 * page around a gap come in the order of the list.
 */
@FunctionalInterface
public interface RowSink {

    void accept(RowValues row);

    /**
     * Receives a row that was not written since the moment {@link dev.tidemark.paging.PageRequest#since}; this method
     * is then called instead of {@link #accept}. Only the columns of the key and of the order have values; all other
     * columns read as NULL.
     */
    default void acceptUnchanged(RowValues row) {}
}
