package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import java.time.Instant;
import java.util.Optional;

/**
 * A parsed and validated request for the number of new items. Its cursor has not been opened yet.
 *
 * @param expiry when the caller's token expires; empty if the feed is public
 */
record FreshQuery(ListState state, String cursor, Optional<Instant> expiry) {}
