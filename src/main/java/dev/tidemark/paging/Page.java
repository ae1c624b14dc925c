package dev.tidemark.paging;

import java.util.Optional;

/**
 * The facts about a page that was read; its rows went their own way as they arrived.
 *
 * @param size the number of items on the page
 * @param top the gap just before the first item; of an empty page, the gap it was read from
 * @param last the gap just after the last item; of an empty page, the gap it was read from
 * @param hasPrevious whether items stood before {@code top} when the page was read
 * @param hasNext whether items stood after {@code last} when the page was read
 */
public record Page(int size, Optional<Gap> top, Optional<Gap> last, boolean hasPrevious, boolean hasNext) {

    public Page {
        if (top.isPresent() != last.isPresent()) {
            throw new IllegalArgumentException("a page has both of its ends or neither");
        }
        if (top.isEmpty() && (size > 0 || hasPrevious || hasNext)) {
            throw new IllegalArgumentException("only the empty list read from its start has no ends");
        }
    }
}
