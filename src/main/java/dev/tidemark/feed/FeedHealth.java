package dev.tidemark.feed;

import io.smallrye.mutiny.Uni;
import java.util.Map;

/**
 * Tracks which feeds no longer match their tables. A table can change while the server is running, and then the pages
 * of its feed could be wrong. A feed that no longer matches is broken: it is not served until it matches again.
 * Thread-safe.
 */
public interface FeedHealth {

    /** Returns the names of the feeds that were broken at the last check, each with the reason. Does no I/O. */
    Map<String, String> brokenFeeds();

    /**
     * Checks all feeds against the database, unless they have just been checked. Never fails: a feed that cannot be
     * checked keeps its last result.
     *
     * @return the broken feeds after the check, like {@link #brokenFeeds}
     */
    Uni<Map<String, String>> recheck();

    /**
     * Compares the tables with what is known of them, and checks the feeds whose tables have changed. Feeds that still
     * match their tables, but differ from what is known of them, have been replaced when this completes. Never fails.
     * Concurrent calls share a comparison.
     */
    Uni<Void> recheckChanged();
}
