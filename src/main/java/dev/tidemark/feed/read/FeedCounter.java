package dev.tidemark.feed.read;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * Counts the items of a list, with the same conditions as its pages. If the database cannot count them, the methods
 * fail with a {@link ReadFailure}.
 */
public interface FeedCounter {

    /** The largest number of new items that is reported to clients. */
    int MAX_FRESH = 100;

    /** Counts the items that a scroll would return if it continued at {@code from}. Counting stops at {@code cap}. */
    Uni<Integer> countRemaining(ListState state, Continuation from, int cap);

    /** Like {@link #countRemaining}, but the count includes every change that {@link FeedChanges} has reported. */
    Uni<Integer> countRemainingAfterChange(ListState state, Continuation from, int cap);

    /**
     * Counts the items of the list. Counting stops at {@code cap}.
     *
     * @param floor the oldest database state that may be counted; empty if any state is acceptable
     */
    Uni<Integer> countAll(ListState state, int cap, Optional<Floor> floor);

    /** Returns the row estimate of PostgreSQL's planner, without reading any rows. */
    Uni<Long> estimate(ListState state);
}
