package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import java.time.Instant;
import java.util.Optional;

/**
 * A position in a list. Items beyond it are new.
 *
 * @param expiry when the caller's token expires; empty if the feed is public
 */
record FreshPosition(ListState state, Continuation from, Optional<Instant> expiry) {}
