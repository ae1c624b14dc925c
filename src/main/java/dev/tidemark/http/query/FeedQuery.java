package dev.tidemark.http.query;

import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.ListState;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import java.util.Set;

/**
 * What a request asks of a feed, read and understood but for its cursors, which need the list state to be opened.
 *
 * @param cursor where to go on; with a jump, empty
 * @param until the cursor at whose gap the walk ends
 * @param limit lowered to the feed's maximum already
 * @param fields the columns to show; empty for all
 * @param count how the number of items is wanted, if at all
 */
public record FeedQuery(
        ListState state,
        Optional<String> cursor,
        Optional<Jump> jump,
        Optional<String> until,
        @Min(value = 1, message = "is 1 or more") int limit,
        Optional<Set<String>> fields,
        Optional<Precision> count) {}
