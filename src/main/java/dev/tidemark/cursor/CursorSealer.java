package dev.tidemark.cursor;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;

/**
 * Turns continuations into tokens and back.
 *
 * <p>Guarantees: a token can neither be read nor made without a key, and opens only in the list state it was sealed in;
 * the same continuation in the same list state gives the same token (within a tenth of the lifetime, where one is set);
 * a token is base64url without padding in its one canonical spelling; {@code open(state, seal(state, c))} equals
 * {@code c}. Thread-safe; does no I/O.
 */
public interface CursorSealer {

    /**
     * @return a token of at most 8,000 characters
     * @throws PositionTooLongException when a value of the position does not fit into one
     */
    String seal(ListState state, Continuation continuation);

    /** @throws CursorRejectedException in one of three ways, whatever is wrong with the token */
    Continuation open(ListState state, String token);
}
