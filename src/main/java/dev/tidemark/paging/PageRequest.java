package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;

/**
 * One page to read: from the start of the list, or from where a scroll goes on or jumps to.
 *
 * @param from where to go on; empty for the first page
 * @param limit the most items the page may hold, at least 1
 * @param preceding how many of them are to stand before the gap, where the list has as many; less than the limit. Near an
 *     end of the list the other side fills the page. Only pages that go forward have it
 * @param until the gap at which a forward walk ends
 */
public record PageRequest(Optional<Continuation> from, int limit, int preceding, Optional<Gap> until) {

    public PageRequest {
        Objects.requireNonNull(from);
        Objects.requireNonNull(until);
        if (limit < 1) {
            throw new IllegalArgumentException("a page holds at least one item");
        }
        if (preceding < 0 || preceding >= limit) {
            throw new IllegalArgumentException("the items before a gap are some of the page's");
        }
        boolean backward = from.map(Continuation::direction)
                .filter(Direction.BACKWARD::equals)
                .isPresent();
        if (backward && (preceding > 0 || until.isPresent())) {
            throw new IllegalArgumentException(
                    "only a page that goes forward reaches round its gap or ends at another");
        }
    }

    public PageRequest(Optional<Continuation> from, int limit) {
        this(from, limit, 0, Optional.empty());
    }

    public Direction direction() {
        return from.map(Continuation::direction).orElse(Direction.FORWARD);
    }
}
