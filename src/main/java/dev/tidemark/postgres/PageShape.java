package dev.tidemark.postgres;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All of a request that stands in the SQL of one order; requests of one shape share a prepared statement.
 *
 * @param side on which side of its position the gap lies; empty on the first page
 * @param nulls bit i tells that the position's value i is NULL
 * @param rows the LIMIT that proves whether more follows. It is a literal, since a parameter there makes PostgreSQL plan
 *     every execution anew; so it comes from a short ladder, and the page leaves surplus rows unread
 */
record PageShape(Direction direction, Optional<Gap.Side> side, long nulls, List<ConditionShape> conditions, int rows) {

    /** One more than common page sizes; the last is one more than the largest page a feed can declare. */
    private static final int[] LADDER = {3, 11, 21, 31, 51, 101, 201, 501, 1001};

    static PageShape of(ListState state, PageRequest request) {
        return new PageShape(
                request.direction(),
                request.from().map(from -> from.gap().side()),
                request.from().map(from -> nulls(from.gap().position())).orElse(0L),
                state.conditions().stream().map(ConditionShape::of).toList(),
                rung(request.limit() + 1));
    }

    private static long nulls(Position position) {
        long nulls = 0;
        for (int i = 0; i < position.size(); i++) {
            if (position.isNull(i)) {
                nulls |= 1L << i;
            }
        }
        return nulls;
    }

    private static int rung(int needed) {
        for (int rows : LADDER) {
            if (rows >= needed) {
                return rows;
            }
        }
        throw new IllegalArgumentException("a page larger than any feed may declare");
    }

    boolean isNull(int key) {
        return (nulls & 1L << key) != 0;
    }

    /** The statement's parameters: the position's values that are not NULL, then the conditions' values. */
    List<String> parameters(ListState state, PageRequest request) {
        List<String> parameters = new ArrayList<>();
        request.from().map(Continuation::gap).map(Gap::position).ifPresent(position -> {
            for (int i = 0; i < position.size(); i++) {
                if (!position.isNull(i)) {
                    parameters.add(position.value(i));
                }
            }
        });
        List<Condition> asked = state.conditions();
        for (int i = 0; i < asked.size(); i++) {
            conditions.get(i).bind(asked.get(i), parameters);
        }
        return parameters;
    }
}
