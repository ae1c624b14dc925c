package dev.tidemark.feed;

import io.smallrye.mutiny.Uni;
import java.util.Map;

/**
 * Whether the feeds still fit their tables, which others may change while the server runs. What no longer fits is not served,
 * for its pages could be wrong; what fits again is. Thread-safe.
 */
public interface FeedHealth {

    /**
     * Why feeds cannot be served, by their names, for those who run the server. As it was found last: a look into memory.
     */
    Map<String, String> broken();

    /**
     * Holds all feeds against the database again, unless that was done a moment ago.
     *
     * @return what is {@link #broken} then; never a failure, for where the database does not tell it stays what it was
     */
    Uni<Map<String, String>> recheck();
}
