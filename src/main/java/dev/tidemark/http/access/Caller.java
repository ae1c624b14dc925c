package dev.tidemark.http.access;

import dev.tidemark.feed.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The caller of a request, as far as one feed needs to know them.
 *
 * @param scope conditions that limit every read of the feed to the caller's own rows; part of each list state
 * @param until when the caller's token expires; empty without a token
 */
public record Caller(List<Condition> scope, Optional<Instant> until) {

    /** A reader of a public feed. */
    static final Caller ANYBODY = new Caller(List.of(), Optional.empty());

    public Caller {
        scope = List.copyOf(scope);
    }

    /** Leaves out the scope: claims do not belong in logs. */
    @Override
    public String toString() {
        return "Caller";
    }
}
