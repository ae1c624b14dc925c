package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Page;
import java.util.Optional;

/**
 * What a page tells beside its items.
 *
 * @param top the bookmark of the first item, which leads before it
 * @param last the bookmark of the last item, which leads behind it
 * @param limit the limit that was applied
 * @param count the number of items in the list, where it was asked for
 */
public record PageFacts(
        Optional<String> top,
        Optional<String> last,
        boolean hasPrevious,
        boolean hasNext,
        int limit,
        Optional<PageCount> count) {

    /** Each gap is sealed once: the way on and the bookmark are the same token. */
    public static PageFacts of(Page page, ListState state, int limit, Optional<PageCount> count, CursorSealer sealer) {
        return new PageFacts(
                page.backward().map(way -> sealer.seal(state, way)),
                page.forward().map(way -> sealer.seal(state, way)),
                page.hasPrevious(),
                page.hasNext(),
                limit,
                count.map(known -> known.provenBy(page)));
    }

    /** The cursor of the next page, where there is one. */
    Optional<String> next() {
        return hasNext ? last : Optional.empty();
    }

    /** The cursor of the page before, where there is one. */
    Optional<String> previous() {
        return hasPrevious ? top : Optional.empty();
    }

    /** Their members, which go on in the object that the items are a member of. */
    public void write(JsonBytes json) {
        json.raw("\"next_cursor\":").tokenOrNull(next());
        json.raw(",\"has_more\":").bool(hasNext);
        json.raw(",\"prev_cursor\":").tokenOrNull(previous());
        json.raw(",\"has_prev\":").bool(hasPrevious);
        json.raw(",\"cursors\":{\"top\":").tokenOrNull(top);
        json.raw(",\"last\":").tokenOrNull(last);
        json.raw("},\"limit\":").number(limit);
        if (count.isPresent()) {
            count.get().write(json);
        }
    }
}
