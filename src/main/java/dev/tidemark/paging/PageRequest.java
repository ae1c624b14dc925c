package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;

/**
 * One page to read: from the start of the list, or from where a scroll goes on.
 *
 * @param from where to go on; empty for the first page
 * @param limit the most items the page may hold, at least 1
 */
public record PageRequest(Optional<Continuation> from, int limit) {

    public PageRequest {
        Objects.requireNonNull(from);
        if (limit < 1) {
            throw new IllegalArgumentException("a page holds at least one item");
        }
    }

    public Direction direction() {
        return from.map(Continuation::direction).orElse(Direction.FORWARD);
    }
}
