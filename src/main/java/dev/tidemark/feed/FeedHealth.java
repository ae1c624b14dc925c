package dev.tidemark.feed;

import io.smallrye.mutiny.Uni;
import java.util.Map;
import java.util.Optional;

/**
 * Tracks which feeds no longer match their tables. Tables can change while the server is running. A feed that no longer
 * matches is not served, because its pages could be wrong, until it matches again. Thread-safe.
 */
public interface FeedHealth {

    /** Returns the feeds that were broken at the last check, by name, each with a reason for operators. Does no I/O. */
    Map<String, String> brokenFeeds();

    /** Returns why the changed declarations of feeds were rejected; empty if the current declarations are served. */
    Optional<String> reloadRejection();

    /**
     * Checks all feeds against the database, unless they have just been checked.
     *
     * @return the broken feeds after the check. Never fails: a feed that cannot be checked keeps its last result
     */
    Uni<Map<String, String>> recheck();
}
