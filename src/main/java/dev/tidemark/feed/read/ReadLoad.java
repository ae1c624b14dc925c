package dev.tidemark.feed.read;

/** How busy the reads of pages are. */
public interface ReadLoad {

    /** Returns whether {@link #rejects} can be true for any feed. Costs next to nothing, for each request to ask. */
    boolean mayBeOverloaded();

    /**
     * Returns whether a page that an index serves would be rejected if it were requested now on the current event loop,
     * because it would wait too long for the pages before it. If so, counts its statement as rejected.
     *
     * @param feed the name of the feed, which need not exist
     */
    boolean rejects(String feed);
}
