package dev.tidemark.http;

import dev.tidemark.feed.ListState;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import java.util.Set;

/**
 * What a request asks of a feed, read and understood but for its cursor, which needs the list state to be opened.
 *
 * @param limit lowered to the feed's maximum already
 * @param fields the columns to show; empty for all
 */
record FeedQuery(
        ListState state,
        Optional<String> cursor,
        @Min(value = 1, message = "is 1 or more") int limit,
        Optional<Set<String>> fields) {}
