package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A request for one page, from the start of the list or from a place in it.
 *
 * @param from the place to continue from; empty for the first page
 * @param limit the maximum number of items on the page, at least 1
 * @param preceding how many of these items to take from before the gap, less than the limit. Near an end of the list the
 *     other side fills the page, also if this is 0. Empty for a page on one side of the gap, as backward pages always are
 * @param until the gap at which a forward page ends; empty for backward pages
 */
public record PageRequest(Optional<Continuation> from, int limit, OptionalInt preceding, Optional<Gap> until) {

    public PageRequest {
        Objects.requireNonNull(from);
        Objects.requireNonNull(until);
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1");
        }
        if (preceding.isPresent() && (preceding.getAsInt() < 0 || preceding.getAsInt() >= limit)) {
            throw new IllegalArgumentException("preceding must be from 0 to limit - 1");
        }
        boolean backward = from.map(Continuation::direction)
                .filter(Direction.BACKWARD::equals)
                .isPresent();
        if (backward && (preceding.isPresent() || until.isPresent())) {
            throw new IllegalArgumentException("a backward page has neither preceding items nor an end");
        }
    }

    public PageRequest(Optional<Continuation> from, int limit) {
        this(from, limit, OptionalInt.empty(), Optional.empty());
    }

    public Direction direction() {
        return from.map(Continuation::direction).orElse(Direction.FORWARD);
    }
}
