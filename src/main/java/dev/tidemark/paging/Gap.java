package dev.tidemark.paging;

import java.util.Objects;

/**
 * A point between two adjacent items of a list, or at an end of the list. It is identified by a position next to it,
 * and stays valid when the row at that position is deleted.
 */
public record Gap(Side side, Position position) {

    /** The side of the position on which the gap lies, relative to the list's order. */
    public enum Side {
        BEFORE,
        AFTER;

        /**
         * Whether reading from the gap in {@code direction} starts with the row at the position, if that row exists.
         */
        public boolean includesPosition(Direction direction) {
            return (this == BEFORE) == (direction == Direction.FORWARD);
        }
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
}
