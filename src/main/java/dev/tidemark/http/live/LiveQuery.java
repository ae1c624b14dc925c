package dev.tidemark.http.live;

import dev.tidemark.feed.ListState;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed and valid request for a live window. Its cursors and its moment are still sealed.
 *
 * @param cursor where the window starts; empty for the start of the list
 * @param until where the window ends; empty for the end of the list
 * @param limit the most items in the window, already reduced to the maximum
 * @param fields the columns to return; empty for all
 * @param since the moment at which the client read the items that it has, and the parameter or header that it comes
 *     from; empty if the client has no items
 * @param expiry when the caller's token expires; empty if the feed is public
 */
record LiveQuery(
        ListState state,
        Optional<String> cursor,
        Optional<String> until,
        @Min(value = 1, message = "must be 1 or more") int limit,
        Optional<Set<String>> fields,
        Optional<SealedMoment> since,
        Optional<Instant> expiry) {

    record SealedMoment(String parameter, String token) {}
}
