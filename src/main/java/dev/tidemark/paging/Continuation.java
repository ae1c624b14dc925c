package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a scroll goes on and which way: what a cursor means once it is opened.
 *
 * @param pin what the scroll is pinned to; only forward scrolls of live orders are
 */
public record Continuation(Gap gap, Direction direction, Optional<Pin> pin) {

    public Continuation {
        Objects.requireNonNull(gap);
        Objects.requireNonNull(direction);
        if (pin.isPresent() && direction == Direction.BACKWARD) {
            throw new IllegalArgumentException("only going forward is pinned");
        }
    }

    public Continuation(Gap gap, Direction direction) {
        this(gap, direction, Optional.empty());
    }
}
