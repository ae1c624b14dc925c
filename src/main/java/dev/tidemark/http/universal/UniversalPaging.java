package dev.tidemark.http.universal;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.page.PageCount;
import dev.tidemark.paging.Page;
import java.util.Optional;

/**
 * The member {@code paging} of a page of the universal protocol, with tokens of either strategy.
 *
 * @param top the token of the first row
 * @param last the token of the last row
 * @param previous the token that requests the previous page, if there is one
 * @param next the token that requests the next page, if there is one
 * @param withoutFloor for the entity tag: a copy of this record, in which no token has a floor; empty if the tokens of
 *     this record have none
 */
public record UniversalPaging(
        Optional<String> top,
        Optional<String> last,
        Optional<String> previous,
        Optional<String> next,
        Optional<UniversalPaging> withoutFloor) {

    public UniversalPaging(
            Optional<String> top, Optional<String> last, Optional<String> previous, Optional<String> next) {
        this(top, last, previous, next, Optional.empty());
    }

    /** Creates the paging of a page that was read by cursor. */
    public static UniversalPaging seal(Page page, ListState state, CursorSealer cursors) {
        boolean hasRows = page.size() > 0;
        Optional<String> before = page.firstItemContinuation()
                .or(page::previousContinuation)
                .map(continuation -> cursors.seal(state, continuation));
        Optional<String> after = page.nextContinuation().map(continuation -> cursors.seal(state, continuation));
        return new UniversalPaging(
                before.filter(token -> hasRows),
                after.filter(token -> hasRows),
                before.filter(token -> page.hasPrevious()),
                after.filter(token -> page.hasNext()),
                page.floor().map(floor -> seal(page.withFloor(Optional.empty()), state, cursors)));
    }

    UniversalPaging withoutPrevious() {
        return new UniversalPaging(
                top, last, Optional.empty(), next, withoutFloor.map(UniversalPaging::withoutPrevious));
    }

    /** @param count the number of rows in the list; written only if it is exact */
    public void write(JsonBytes json, Optional<PageCount> count) {
        json.raw("\"paging\":{\"cursors\":{\"top\":").tokenOrNull(top);
        json.raw(",\"last\":").tokenOrNull(last);
        json.raw("},\"previous\":").tokenOrNull(previous);
        json.raw(",\"next\":").tokenOrNull(next);
        if (count.isPresent() && count.get().isExact()) {
            json.raw(",\"count\":").number(count.get().value());
        }
        json.raw('}');
    }
}
