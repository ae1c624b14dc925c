package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import java.time.Instant;
import java.util.Optional;

/**
 * A parsed and valid request for the number of new items. Only its cursor is still sealed.
 *
 * @param expiry when the caller's token expires; empty if the feed is public
 */
record FreshQuery(ListState state, String cursor, Optional<Instant> expiry) {}
