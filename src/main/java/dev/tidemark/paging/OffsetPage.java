package dev.tidemark.paging;

/**
 * The facts about a page that was read by counting.
 *
 * @param preceding the items before the first one of the page; of an empty page, those before the gap it was asked from,
 *     also where the list has fewer
 * @param size the number of items on the page
 * @param hasPrevious whether items stood before the page when it was read
 * @param hasNext whether items stood after it
 */
public record OffsetPage(int preceding, int size, boolean hasPrevious, boolean hasNext) {

    /** The place that the page was read from, without the page: its items stand beyond it then. */
    public OffsetPage withoutItems(OffsetRequest request) {
        boolean forward = request.direction() == Direction.FORWARD;
        return new OffsetPage(
                request.preceding(), 0, hasPrevious || !forward && size > 0, hasNext || forward && size > 0);
    }
}
