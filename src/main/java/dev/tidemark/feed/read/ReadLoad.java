package dev.tidemark.feed.read;

/** How busy the reads of pages are. */
public interface ReadLoad {

    /**
     * Returns whether a page that an index serves would be rejected if it were requested now on the current event loop,
     * because it would wait too long for the pages before it.
     */
    boolean isOverloaded();
}
