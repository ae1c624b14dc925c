package dev.tidemark.feed;

import io.smallrye.mutiny.Uni;
import java.util.Map;
import java.util.Optional;

/**
 * Tracks which feeds no longer match their tables. Tables can change while the server runs. A feed that no longer matches
 * is not served, because its pages could be wrong, until it matches again. Thread-safe.
 */
public interface FeedHealth {

    /** The broken feeds by name, each with the reason, for operators. The result of the last check; does no I/O. */
    Map<String, String> broken();

    /** Why the changed declarations of feeds are not served; empty if the declarations as they are now are served. */
    Optional<String> refusedReload();

    /**
     * Checks all feeds against the database, unless they have just been checked.
     *
     * @return the broken feeds after the check. Never fails: a feed that cannot be checked keeps its last result
     */
    Uni<Map<String, String>> recheck();
}
