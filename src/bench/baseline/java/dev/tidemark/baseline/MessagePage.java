package dev.tidemark.baseline;

import java.time.OffsetDateTime;
import java.util.List;

/**
 * A page with the same members as a page of Tidemark. Its cursors are not encrypted, and {@code hasPrev} says only
 * whether the request had a cursor.
 */
record MessagePage<I extends MessagePage.Item>(
        List<I> items,
        String nextCursor,
        boolean hasMore,
        String prevCursor,
        boolean hasPrev,
        Bookmarks cursors,
        int limit) {

    /** An item with its position in the list. */
    interface Item {
        String id();

        OffsetDateTime createdAt();
    }

    record Bookmarks(String top, String last) {}

    /**
     * @param found the messages after the cursor, at most one more than the limit
     * @param isFirst whether the request had no cursor
     */
    static <I extends Item> MessagePage<I> of(List<I> found, boolean isFirst, int limit) {
        boolean hasMore = found.size() > limit;
        List<I> items = hasMore ? found.subList(0, limit) : found;
        if (items.isEmpty()) {
            return new MessagePage<>(items, null, false, null, !isFirst, new Bookmarks(null, null), limit);
        }
        Bookmarks ends = new Bookmarks(Cursor.tokenAfter(items.get(0)), Cursor.tokenAfter(items.get(items.size() - 1)));
        return new MessagePage<>(
                items, hasMore ? ends.last : null, hasMore, isFirst ? null : ends.top, !isFirst, ends, limit);
    }
}
