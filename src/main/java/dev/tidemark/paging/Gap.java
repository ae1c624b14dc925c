package dev.tidemark.paging;

import java.util.Objects;

/**
 * The point between two adjacent items of a list, identified by the position on one side of it. A gap stays valid when
 * the row at its position is deleted.
 */
public record Gap(Side side, Position position) {

    /** The side of the position on which the gap lies, relative to the list's order. */
    public enum Side {
        BEFORE,
        AFTER
    }

    public Gap {
        Objects.requireNonNull(side);
        Objects.requireNonNull(position);
    }

    public static Gap before(Position position) {
        return new Gap(Side.BEFORE, position);
    }

    public static Gap after(Position position) {
        return new Gap(Side.AFTER, position);
    }

    /** Whether reading from the gap in {@code direction} starts with the row at the position. */
    public boolean includesPosition(Direction direction) {
        return (side == Side.BEFORE) == (direction == Direction.FORWARD);
    }
}
