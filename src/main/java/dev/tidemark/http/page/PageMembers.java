package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Page;
import java.util.Optional;

/**
 * The members of a page other than its items, keys, and moment.
 *
 * @param top the cursor of the gap before the first item, or of the gap that an empty page stands for; empty for an
 *     empty list that was read from its start
 * @param last the cursor of the gap after the last item; on an empty page like {@code top}
 * @param limit the limit that was applied
 * @param count the number of items in the list, if it was requested
 * @param withoutFloor for the entity tag: the same members with cursors that have no floor; empty if the cursors of
 *     these members have none
 */
public record PageMembers(
        Optional<String> top,
        Optional<String> last,
        boolean hasPrevious,
        boolean hasNext,
        int limit,
        Optional<PageCount> count,
        Optional<PageMembers> withoutFloor) {

    /** Creates members whose cursors have no floor. */
    PageMembers(
            Optional<String> top,
            Optional<String> last,
            boolean hasPrevious,
            boolean hasNext,
            int limit,
            Optional<PageCount> count) {
        this(top, last, hasPrevious, hasNext, limit, count, Optional.empty());
    }

    /**
     * Seals the cursors of a page. Each gap is sealed once, so {@code next_cursor} and {@code cursors.last} are the
     * same token.
     */
    public static PageMembers seal(
            Page page, ListState state, int limit, Optional<PageCount> count, CursorSealer sealer) {
        return new PageMembers(
                page.previousContinuation().map(continuation -> sealer.seal(state, continuation)),
                page.nextContinuation().map(continuation -> sealer.seal(state, continuation)),
                page.hasPrevious(),
                page.hasNext(),
                limit,
                count.map(known -> known.correctedBy(page)),
                page.floor().isPresent()
                        ? Optional.of(seal(page.withFloor(Optional.empty()), state, limit, count, sealer))
                        : Optional.empty());
    }

    /** The cursor of the next page, if there is one. */
    Optional<String> next() {
        return hasNext ? last : Optional.empty();
    }

    /** The cursor of the previous page, if there is one. */
    Optional<String> previous() {
        return hasPrevious ? top : Optional.empty();
    }

    /** Writes the members into the object that contains the items. */
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
