package dev.tidemark.http.page;

import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.MomentParameter;
import dev.tidemark.http.query.Start;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed and valid request for a page. Its cursors and its moment are still sealed. Equal queries request the same
 * page.
 *
 * @param start where the page starts; empty for the start of the list
 * @param until the cursor at which the scroll ends; empty for the end of the list
 * @param limit the page size, already reduced to the maximum; 0 requests only the members of the page
 * @param fields the columns to return; empty for all
 * @param count the precision of the requested count; empty for no count
 * @param since the sealed moment at which the client read the items that it has; empty to get all items
 */
public record ParsedQuery(
        PageFormat format,
        ListState state,
        Optional<Start> start,
        Optional<CursorParameter> until,

        @Min(value = 1, message = "must be 1 or more")
        @Min(value = 0, message = "must be 0 or more", groups = MayHaveNoItems.class)
        int limit,

        Optional<Set<String>> fields,
        Optional<Precision> count,
        Optional<MomentParameter> since) {

    /** The validation group of queries that can have a limit of 0. */
    public interface MayHaveNoItems {}

    /**
     * Returns the number of rows to read. For a limit of 0, one row is read to find out whether there are rows beyond
     * the position.
     */
    int rowsToRead() {
        return Math.max(1, limit);
    }

    boolean wantsItems() {
        return limit > 0;
    }
}
