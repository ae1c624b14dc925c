package dev.tidemark.paging;

import java.util.Objects;

/**
 * One page to read by counting: from a gap that is known only by how many items stand before it, and so moves when the
 * list changes before it.
 *
 * @param preceding the items before the gap; of a list that has fewer, the gap is at its end
 * @param limit the most items the page may hold, at least 1
 */
public record OffsetRequest(int preceding, Direction direction, int limit) {

    public OffsetRequest {
        Objects.requireNonNull(direction);
        if (preceding < 0) {
            throw new IllegalArgumentException("nothing stands before the start of a list");
        }
        if (limit < 1) {
            throw new IllegalArgumentException("a page holds at least one item");
        }
    }
}
