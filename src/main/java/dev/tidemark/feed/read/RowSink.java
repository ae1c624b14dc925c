package dev.tidemark.feed.read;

/**
 * Receives the rows of a page in reading direction: the rows of a backward page come in reverse order. The rows of a
 * page around a gap come in the order of the list.
 */
@FunctionalInterface
public interface RowSink {

    void accept(RowValues row);

    /**
     * Whether the last row did not fit. The row then does not count as accepted: the page ends before it, and gets no
     * further rows. The first row of a page always fits.
     */
    default boolean isFull() {
        return false;
    }

    /**
     * Returns how many bytes of a page a row would take. A page around a gap is filled from the gap outward, and its
     * rows are passed to {@link #accept} in the order of the list.
     */
    default int measure(RowValues row) {
        return 0;
    }

    /** Whether this sink reads the value at an index of a row. Other values need not be kept in memory. */
    default boolean reads(int index) {
        return true;
    }

    /** The most bytes that the rows of a page take. */
    default int maxBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * Receives a row that was not written since the moment {@link dev.tidemark.paging.PageRequest#since}; this method
     * is then called instead of {@link #accept}. Unless {@link dev.tidemark.paging.PageRequest#includesUnwritten},
     * only the columns of the key and of the order have values; all other columns read as NULL.
     */
    default void acceptUnchanged(RowValues row) {}
}
