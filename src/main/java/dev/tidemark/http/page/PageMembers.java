package dev.tidemark.http.page;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Page;
import java.util.Optional;

/**
 * The members of a page other than its items, keys, and moment.
 *
 * @param top a cursor that reads backward from the first item, or from the position of an empty page; empty, like
 *     {@code last}, if an empty list was read from its start without {@code until}
 * @param last a cursor that reads forward from the last item, or from the position of an empty page
 * @param limit the limit that was applied
 * @param count the number of items in the list; empty if no count was requested
 * @param withoutFloor for the entity tag: a copy of this record, in which no cursor has a {@code Floor}; empty if the
 *     cursors of this record have none
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
     * Seals the cursors of a page: {@code cursors.top}, which is also {@code prev_cursor} if there is a previous page,
     * and {@code cursors.last}, which is also {@code next_cursor} if there is a next page.
     */
    public static PageMembers seal(
            Page page, ListState state, int limit, Optional<PageCount> count, CursorSealer sealer) {
        return new PageMembers(
                page.previousContinuation().map(continuation -> sealer.seal(state, continuation)),
                page.nextContinuation().map(continuation -> sealer.seal(state, continuation)),
                page.hasPrevious(),
                page.hasNext(),
                limit,
                count,
                page.floor().isPresent()
                        ? Optional.of(seal(page.withFloor(Optional.empty()), state, limit, count, sealer))
                        : Optional.empty());
    }

    /** Returns the cursor of the next page, if there is one. */
    Optional<String> nextCursor() {
        return hasNext ? last : Optional.empty();
    }

    /** Returns the cursor of the previous page, if there is one. */
    Optional<String> previousCursor() {
        return hasPrevious ? top : Optional.empty();
    }

    /** Writes the members into the object that contains the items. */
    public void write(JsonBytes json) {
        json.raw("\"next_cursor\":").tokenOrNull(nextCursor());
        json.raw(",\"has_more\":").bool(hasNext);
        json.raw(",\"prev_cursor\":").tokenOrNull(previousCursor());
        json.raw(",\"has_prev\":").bool(hasPrevious);
        json.raw(",\"cursors\":{\"top\":").tokenOrNull(top);
        json.raw(",\"last\":").tokenOrNull(last);
        json.raw("},\"limit\":").number(limit);
        if (count.isPresent()) {
            count.get().write(json);
        }
    }
}
