package dev.tidemark.feed.read;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import io.smallrye.mutiny.Uni;
import java.util.List;
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

    /** The items that a scroll of a list would return if it continued at a place. */
    record Remainder(ListState list, Continuation from) {

        public Remainder withoutFloor() {
            return new Remainder(list, from.withoutFloor());
        }
    }

    /**
     * What remainders must have in common to be counted together, cheaply, by one statement.
     *
     * @return empty if the remainder must be counted alone. The list may then be one that no index serves
     */
    Optional<Object> group(Remainder remainder);

    /**
     * Counts items like {@link #countRemaining}, but includes every change that {@link FeedChanges} has reported.
     *
     * @param remainders one remainder, or several of one {@link #group}
     * @return their counts, in the same order
     */
    Uni<List<Integer>> countAfterChange(List<Remainder> remainders, int cap);

    /**
     * Counts the items of the list. Counting stops at {@code cap}.
     *
     * @param floor the oldest database state that may be counted; empty if any state is acceptable
     */
    Uni<Integer> countAll(ListState state, int cap, Optional<Floor> floor);

    /** Returns the row estimate of PostgreSQL's planner, without reading any rows. */
    Uni<Long> estimate(ListState state);
}
