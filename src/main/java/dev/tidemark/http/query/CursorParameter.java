package dev.tidemark.http.query;

import dev.tidemark.cursor.CursorRejectedException;
import dev.tidemark.cursor.CursorRejectedException.Reason;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import java.util.Optional;

/**
 * A parameter whose value is a cursor, which is still sealed.
 *
 * @param direction the direction to read in; empty for the direction of the cursor
 */
public record CursorParameter(String name, String token, Optional<Direction> direction) implements Start {

    /** Returns the cursor in a query that has no other parameter for its direction. */
    public static Optional<CursorParameter> find(String name, QueryString query) {
        return query.value(name).map(token -> new CursorParameter(name, token, Optional.empty()));
    }

    /** @throws Problem {@code invalid_cursor}, {@code cursor_mismatch} or {@code cursor_expired} for this parameter */
    public Continuation open(ListState state, CursorSealer cursors) {
        try {
            Continuation opened = cursors.open(state, token);
            if (!state.feed().relation().hasKey()) {
                // The token is from a time when the feed had a key. Without one, a position in an order can belong to
                // several rows.
                throw new CursorRejectedException(Reason.MISMATCH);
            }
            return direction.isPresent() ? opened.inDirection(direction.get()) : opened;
        } catch (CursorRejectedException e) {
            throw Problem.of(e, name);
        }
    }

    /** Omits the token, because tokens must not appear in logs. */
    @Override
    public String toString() {
        return "CursorParameter[" + name + ']';
    }
}
