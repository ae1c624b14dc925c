package dev.tidemark.feed;

import dev.tidemark.paging.Continuation;
import io.smallrye.mutiny.Uni;

/** Counts the items of a list, under the same conditions as its pages are read. Failures are {@link ReadFailure}s. */
public interface FeedCounter {

    /** The items that going on from there would give, counted until {@code most}. */
    Uni<Integer> beyond(ListState state, Continuation from, int most);

    /** The items of the list, counted until {@code most}. */
    Uni<Integer> exact(ListState state, int most);

    /** What PostgreSQL's planner expects, which takes no look at the rows. */
    Uni<Long> estimate(ListState state);
}
