package dev.tidemark.paging;

import java.util.Objects;

/**
 * A request for a page by offset. The page shifts when items before it are inserted or deleted.
 *
 * @param precedingCount the number of items before the point at which reading starts. If the list is shorter, reading
 *     starts at the end of the list
 * @param limit the maximum number of items on the page, at least 1
 */
public record OffsetRequest(int precedingCount, Direction direction, int limit) {

    public OffsetRequest {
        Objects.requireNonNull(direction);
        if (precedingCount < 0) {
            throw new IllegalArgumentException("precedingCount must not be negative");
        }
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1");
        }
    }
}
