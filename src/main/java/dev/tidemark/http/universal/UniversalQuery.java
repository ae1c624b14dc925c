package dev.tidemark.http.universal;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.UniversalPolicy.Strategy;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Direction;
import jakarta.validation.constraints.Min;
import java.util.Optional;

/**
 * A parsed and valid request of the universal protocol. Its token has not been opened. Equal queries request the same
 * page.
 *
 * @param token where to continue; empty for the start of the list
 * @param limit the page size, already reduced to the feed's maximum; 0 requests only the paging and the count
 */
record UniversalQuery(
        ListState state,
        Optional<UniversalToken> token,
        @Min(value = 0, message = "must be 0 or more") int limit) {

    Feed feed() {
        return state.feed();
    }

    Direction direction() {
        return token.map(UniversalToken::direction).orElse(Direction.FORWARD);
    }

    /** Returns the strategy. A scroll in progress keeps the strategy it began with; a new scroll uses the feed's. */
    Strategy strategy() {
        return token.map(UniversalToken::strategy)
                .orElse(feed().policy().universal().strategy());
    }

    /**
     * Returns the number of rows to read. For a limit of 0, one row is read to find out whether there are rows beyond
     * the position.
     */
    int rowsToRead() {
        return Math.max(1, limit);
    }

    boolean wantsRows() {
        return limit > 0;
    }
}
