package dev.tidemark.http.page;

import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.ListState;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed and valid request for a page. Its cursors and its moment are still sealed. Equal queries request the same
 * page.
 *
 * @param limit the page size, already reduced to the maximum
 * @param fields the columns to return; empty for all
 * @param count the precision of the requested count; empty for no count
 * @param since the sealed moment at which the client read the items that it has; empty to get all items
 */
public record PageQuery(
        ListState state,
        PageRange range,
        @Min(value = 1, message = "must be 1 or more") int limit,
        Optional<Set<String>> fields,
        Optional<Precision> count,
        Optional<String> since) {}
