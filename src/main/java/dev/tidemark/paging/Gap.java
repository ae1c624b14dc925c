package dev.tidemark.paging;

import java.util.Objects;

/**
 * The place between two neighbours of a list, named by the position on one of its sides. It stays where it is when the
 * row at the position goes.
 */
public record Gap(Side side, Position position) {

    /** On which side of its position a gap lies, seen along the list's order. */
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

    /** Whether someone who leaves the gap in {@code direction} meets the row at the position itself first. */
    public boolean includesPosition(Direction direction) {
        return (side == Side.BEFORE) == (direction == Direction.FORWARD);
    }
}
