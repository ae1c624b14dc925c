package dev.tidemark.paging;

/**
 * The metadata of a page that was read by offset.
 *
 * @param precedingCount the number of items before the page. For an empty page this is the requested offset, even if
 *     the list is shorter
 * @param size the number of items on the page
 * @param hasPrevious whether there were items before the page when it was read
 * @param hasNext whether there were items after the page when it was read
 */
public record OffsetPage(int precedingCount, int size, boolean hasPrevious, boolean hasNext) {

    /**
     * Returns an empty page at the requested offset. The items of this page count as items after the empty page, or
     * before it if the request is backward.
     */
    public OffsetPage withoutItems(OffsetRequest request) {
        boolean forward = request.direction() == Direction.FORWARD;
        return new OffsetPage(
                request.precedingCount(), 0, hasPrevious || !forward && size > 0, hasNext || forward && size > 0);
    }
}
