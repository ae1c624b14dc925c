package dev.tidemark.postgres.sql;

import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.util.List;

/**
 * A gap without its values: what of it stands in the SQL.
 *
 * @param size how many of the order's keys the position has; a jump to a value has but the first
 * @param nulls bit i tells that the position's value i is NULL
 */
record GapShape(Gap.Side side, int size, long nulls) {

    static GapShape of(Gap gap) {
        Position position = gap.position();
        long nulls = 0;
        for (int i = 0; i < position.size(); i++) {
            if (position.isNull(i)) {
                nulls |= 1L << i;
            }
        }
        return new GapShape(gap.side(), position.size(), nulls);
    }

    boolean isNull(int key) {
        return (nulls & 1L << key) != 0;
    }

    /** How many parameters it takes: its values that are not NULL. */
    int parameters() {
        return size - Long.bitCount(nulls);
    }

    boolean includesPosition(Direction direction) {
        return (side == Gap.Side.BEFORE) == (direction == Direction.FORWARD);
    }

    /** The gap on the other side of the row at the position. */
    GapShape otherSide() {
        return new GapShape(side == Gap.Side.BEFORE ? Gap.Side.AFTER : Gap.Side.BEFORE, size, nulls);
    }

    static void bind(Gap gap, List<String> parameters) {
        Position position = gap.position();
        for (int i = 0; i < position.size(); i++) {
            if (!position.isNull(i)) {
                parameters.add(position.value(i));
            }
        }
    }
}
