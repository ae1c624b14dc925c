package dev.tidemark.http.query;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Universal.Strategy;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Direction;
import jakarta.validation.constraints.Min;
import java.util.Optional;

/**
 * What a request of the universal protocol asks of a feed, read and understood but for its token.
 *
 * @param token where to go on; empty for the start of the list
 * @param limit lowered to the feed's maximum already; 0 asks of a place what lies around it, and for no rows
 */
public record UniversalQuery(
        ListState state,
        Optional<UniversalToken> token,
        @Min(value = 0, message = "is 0 or more") int limit) {

    public Feed feed() {
        return state.feed();
    }

    public Direction direction() {
        return token.map(UniversalToken::direction).orElse(Direction.FORWARD);
    }

    /** A scroll goes on as it began; one that begins takes the feed's own strategy. */
    public Strategy strategy() {
        return token.map(UniversalToken::strategy)
                .orElse(feed().policy().universal().strategy());
    }

    /** How many rows are to be read: what lies beyond a place is proven by one. */
    public int rowsRead() {
        return Math.max(1, limit);
    }

    public boolean isOfRows() {
        return limit > 0;
    }
}
