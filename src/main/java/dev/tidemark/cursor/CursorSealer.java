package dev.tidemark.cursor;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;

/**
 * Converts continuations to tokens and back.
 *
 * <p>Without a key, a token can be neither read nor created. A token can be opened only with the list state it was
 * sealed with. Until the token expires, {@code open(state, seal(state, c))} equals {@code c}. The same continuation and
 * list state produce the same token; if a lifetime is set, for up to a tenth of the lifetime. Tokens are canonical
 * base64url without padding. Thread-safe; does no I/O.
 */
public interface CursorSealer {

    /**
     * @return a token of at most 8,000 characters
     * @throws PositionTooLongException if the values of the position do not fit into a token
     */
    String seal(ListState state, Continuation continuation);

    /** @throws CursorRejectedException for every token that cannot be opened, with one of three reasons */
    Continuation open(ListState state, String token);
}
