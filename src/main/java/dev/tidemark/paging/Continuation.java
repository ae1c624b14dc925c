package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;

/**
 * The point at which a scroll continues, with the direction of the scroll. Opening a cursor returns a continuation.
 *
 * @param pin the pin of a forward scroll of a live order; empty for other scrolls, if the order needs no pin, and at
 *     the end of the list
 * @param floor the oldest database state that the next page may show; empty unless several hosts serve pages
 */
public record Continuation(Gap gap, Direction direction, Optional<Pin> pin, Optional<Floor> floor) {

    public Continuation {
        Objects.requireNonNull(gap);
        Objects.requireNonNull(direction);
        Objects.requireNonNull(floor);
        if (pin.isPresent() && direction == Direction.BACKWARD) {
            throw new IllegalArgumentException("only a forward scroll can have a pin");
        }
    }

    public Continuation(Gap gap, Direction direction, Optional<Pin> pin) {
        this(gap, direction, pin, Optional.empty());
    }

    public Continuation(Gap gap, Direction direction) {
        this(gap, direction, Optional.empty());
    }

    /** Returns this continuation with the later of its own floor and {@code other}. */
    public Continuation withLaterFloor(Optional<Floor> other) {
        return other.isEmpty() ? this : new Continuation(gap, direction, pin, Floor.later(floor, other));
    }

    /** Returns this continuation without a floor, so that the next page can show any state of the database. */
    public Continuation withoutFloor() {
        return floor.isEmpty() ? this : new Continuation(gap, direction, pin);
    }

    /**
     * Returns this continuation in another direction. If this continuation excludes the item at its position, so does
     * the new one; otherwise the new one has the same gap. The new one has no pin if it reads backward.
     */
    public Continuation inDirection(Direction newDirection) {
        boolean excludesItem = !gap.side().includesPosition(direction);
        boolean forward = newDirection == Direction.FORWARD;
        Gap start = excludesItem ? new Gap(forward ? Gap.Side.AFTER : Gap.Side.BEFORE, gap.position()) : gap;
        return new Continuation(start, newDirection, forward ? pin : Optional.empty(), floor);
    }
}
