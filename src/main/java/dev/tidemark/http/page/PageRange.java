package dev.tidemark.http.page;

import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.Start;
import java.util.Optional;

/**
 * The part of a list that a query requests. Its cursors are still sealed.
 *
 * @param start where the part begins; empty for the start of the list
 * @param until the cursor at which the scroll ends; empty for the end of the list
 */
public record PageRange(Optional<Start> start, Optional<CursorParameter> until) {}
