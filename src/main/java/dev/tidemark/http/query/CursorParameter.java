package dev.tidemark.http.query;

import dev.tidemark.cursor.CursorRejectedException;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.paging.Continuation;

/** Opens the cursors that are values of parameters. */
public final class CursorParameter {

    private CursorParameter() {}

    /** @throws Problem {@code invalid_cursor}, {@code cursor_mismatch} or {@code cursor_expired} for this parameter */
    public static Continuation open(String parameter, String token, ListState state, CursorSealer cursors) {
        try {
            return cursors.open(state, token);
        } catch (CursorRejectedException e) {
            throw Problem.of(e, parameter);
        }
    }
}
