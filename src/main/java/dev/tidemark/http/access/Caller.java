package dev.tidemark.http.access;

import dev.tidemark.feed.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who asks, as far as one feed wants to know it.
 *
 * @param scope what holds for every row that the caller reads; it becomes part of each list state
 * @param until when the caller's word expires
 */
public record Caller(List<Condition> scope, Optional<Instant> until) {

    /** Who reads a public feed. */
    static final Caller ANYBODY = new Caller(List.of(), Optional.empty());

    public Caller {
        scope = List.copyOf(scope);
    }

    /** Says nothing of the scope: claims are not for logs. */
    @Override
    public String toString() {
        return "Caller";
    }
}
