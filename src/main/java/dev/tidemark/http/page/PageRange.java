package dev.tidemark.http.page;

import dev.tidemark.http.query.Jump;
import java.util.Optional;

/**
 * The part of a list that a query requests. Its cursors are still sealed. Without a cursor or a jump, the part begins
 * at the start of the list.
 *
 * @param cursor where to continue
 * @param jump the position to start at, instead of a cursor
 * @param until the cursor at which the scroll ends; empty for the end of the list
 */
public record PageRange(Optional<String> cursor, Optional<Jump> jump, Optional<String> until) {}
