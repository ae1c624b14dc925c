package dev.tidemark.http.access;

import dev.tidemark.feed.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A caller who may read a feed.
 *
 * @param scope conditions that limit every read of the feed to the caller's own rows; part of each list state
 * @param expiry when the caller's token expires, including the clock skew; empty if the feed is public
 */
public record Caller(List<Condition> scope, Optional<Instant> expiry) {

    /** The caller of a public feed. */
    public static final Caller ANYBODY = new Caller(List.of(), Optional.empty());

    public Caller {
        scope = List.copyOf(scope);
    }

    /** Omits the scope, because claims must not appear in logs. */
    @Override
    public String toString() {
        return "Caller";
    }
}
