package dev.tidemark.feed;

/** Takes the rows of a page as they arrive, in the direction the page is read: nearest to its gap first. */
@FunctionalInterface
public interface RowSink {

    void row(RowValues row);
}
