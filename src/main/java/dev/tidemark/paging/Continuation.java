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

    /**
     * The same place, left in the direction that somebody else says. What leaves its position behind stands for the item
     * there, which is then left behind in either direction; anything else stands for its gap. Only going forward keeps the
     * pin.
     */
    public Continuation inDirection(Direction asked) {
        boolean isItem = !gap.includesPosition(direction);
        Gap left =
                isItem ? new Gap(asked == Direction.FORWARD ? Gap.Side.AFTER : Gap.Side.BEFORE, gap.position()) : gap;
        return new Continuation(left, asked, asked == Direction.FORWARD ? pin : Optional.empty());
    }
}
