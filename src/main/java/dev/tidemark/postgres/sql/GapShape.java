package dev.tidemark.postgres.sql;

import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.util.List;

/**
 * The properties of a gap that determine the SQL of a statement: its side, the number of values in its position, and
 * which of these values are NULL.
 *
 * @param size the number of values in the position; the position of a jump to a value has only the order's first key
 * @param nullMask a bit mask: bit i is set if value i of the position is NULL
 */
record GapShape(Gap.Side side, int size, long nullMask) {

    /**
     * A gap with the numbers of its parameters in a statement.
     *
     * @param firstParameter the number of the parameter for the position's first non-NULL value
     */
    record BoundGap(GapShape shape, int firstParameter) {}

    static GapShape of(Gap gap) {
        Position position = gap.position();
        long nullMask = 0;
        for (int i = 0; i < position.size(); i++) {
            if (position.isNull(i)) {
                nullMask |= 1L << i;
            }
        }
        return new GapShape(gap.side(), position.size(), nullMask);
    }

    boolean isNull(int key) {
        return (nullMask & 1L << key) != 0;
    }

    /** The number of parameters: one for each non-NULL value. */
    int parameterCount() {
        return size - Long.bitCount(nullMask);
    }

    /** The gap on the other side of the row at the position. */
    GapShape otherSide() {
        return new GapShape(side == Gap.Side.BEFORE ? Gap.Side.AFTER : Gap.Side.BEFORE, size, nullMask);
    }

    /** Appends the parameters: the position's non-NULL values. */
    static void bind(Gap gap, List<String> parameters) {
        Position position = gap.position();
        for (int i = 0; i < position.size(); i++) {
            if (!position.isNull(i)) {
                parameters.add(position.value(i));
            }
        }
    }
}
