package dev.tidemark.http.universal;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Universal.Strategy;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Direction;
import jakarta.validation.constraints.Min;
import java.util.Optional;

/**
 * A request of the universal protocol, parsed and valid; only its token is still sealed. Equal queries get equal pages.
 *
 * @param token where to continue; empty for the start of the list
 * @param limit already lowered to the feed's maximum; 0 asks for no rows, only for what lies around the token's place
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

    /** A scroll keeps the strategy it began with; a new one uses the feed's. */
    Strategy strategy() {
        return token.map(UniversalToken::strategy)
                .orElse(feed().policy().universal().strategy());
    }

    /** The number of rows to read: one row is enough to prove that something lies beyond a place. */
    int rowsRead() {
        return Math.max(1, limit);
    }

    boolean wantsRows() {
        return limit > 0;
    }
}
