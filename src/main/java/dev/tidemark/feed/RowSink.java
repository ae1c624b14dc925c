package dev.tidemark.feed;

/** Receives the rows of a page as they arrive, in reading direction: the row nearest to the gap comes first. */
@FunctionalInterface
public interface RowSink {

    void row(RowValues row);
}
