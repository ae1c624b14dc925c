package dev.tidemark.http.page;

import dev.tidemark.cursor.Token;
import dev.tidemark.http.json.JsonBytes;
import java.util.Optional;

/**
 * What a page says about itself and its neighbors, apart from its items, keys, and moment.
 *
 * @param top the token that continues from the first item, or from the position of an empty page; empty, like
 *     {@code last}, if an empty list was read from its start without {@code until}
 * @param last the token that continues forward from the last item, or from the position of an empty page
 * @param size the number of items on the page
 * @param hasPrevious whether clients can request a previous page, with {@code top}
 * @param hasNext whether there is a next page
 * @param limit the limit that was applied
 * @param count the number of items in the list; empty if no count was requested
 */
public record PageMembers(
        Optional<Token> top,
        Optional<Token> last,
        int size,
        boolean hasPrevious,
        boolean hasNext,
        int limit,
        Optional<PageCount> count) {

    /** Returns the token of the next page, if there is one. */
    Optional<Token> next() {
        return hasNext ? last : Optional.empty();
    }

    /** Returns the token of the previous page, if there is one. */
    Optional<Token> previous() {
        return hasPrevious ? top : Optional.empty();
    }

    /** Writes all members of {@code GET /api/{feed}}. */
    public void write(JsonBytes json) {
        PageFormat.API.write(json, this, true);
    }

    /** Writes the member {@code cursors}. */
    public void writeCursors(JsonBytes json) {
        PageFormat.cursors(json, top, last, true);
    }
}
