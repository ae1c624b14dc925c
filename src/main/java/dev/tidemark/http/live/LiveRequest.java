package dev.tidemark.http.live;

import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Moment;
import java.util.Optional;

/**
 * A request for a live window.
 *
 * @param since the moment at which the client read the items that it has; empty if it has none
 * @param floor the oldest database state that the window may show; empty if any state is acceptable
 */
record LiveRequest(ServedFeed served, WindowKey window, Optional<Moment> since, Optional<Floor> floor, Caller caller) {}
