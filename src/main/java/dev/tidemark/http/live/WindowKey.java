package dev.tidemark.http.live;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Gap;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import java.util.Set;

/**
 * A part of a list, as clients see it. Streams with equal keys share every read.
 *
 * @param fields the columns of the items; empty for all
 * @param from the gap where the window starts; empty for the start of the list
 * @param until the gap where the window ends; empty for the end of the list
 * @param limit the most items in the window
 */
record WindowKey(
        ListState state,
        Optional<Set<String>> fields,
        Optional<Gap> from,
        Optional<Gap> until,
        @Min(value = 1, message = "must be 1 or more") int limit) {}
