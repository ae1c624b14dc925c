package dev.tidemark.http.page;

import dev.tidemark.cursor.Token;
import dev.tidemark.http.json.JsonBytes;
import java.util.Optional;

/**
 * What a page says about itself and its neighbors, apart from its items, keys, and moment.
 *
 * @param top the token that continues from the first item, or from the position of an empty page; empty, like
 *     {@code last}, if an empty page was read from the start without {@code until}
 * @param last the token that continues forward from the last item, or from the position of an empty page
 * @param previous the token of the previous page; empty if clients cannot request one
 * @param next the token of the next page; empty if there is none
 * @param size the number of items on the page
 * @param partial whether the page has fewer items than requested because it has looked at enough rows of a search
 * @param limit the limit that was applied
 * @param count the number of items in the list; empty if no count was requested
 */
public record PageMembers(
        Optional<Token> top,
        Optional<Token> last,
        Optional<Token> previous,
        Optional<Token> next,
        int size,
        boolean partial,
        int limit,
        Optional<PageCount> count) {

    /** Returns whether there is a next page. */
    public boolean hasNext() {
        return next.isPresent();
    }

    /** Returns whether clients can request a previous page. */
    public boolean hasPrevious() {
        return previous.isPresent();
    }

    /** Writes the members that a page of {@code GET /api/{feed}} has, for an event of a live window. */
    public void write(JsonBytes json) {
        PageFormat.API.write(json, this, true);
    }

    /** Writes the member {@code cursors}. */
    public void writeCursors(JsonBytes json) {
        PageFormat.cursors(json, top, last, true);
    }
}
