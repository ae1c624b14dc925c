package dev.tidemark.http.page;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.paging.Floor;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.BiFunction;

/** Counts the items of a list while a page of the list is read. */
final class ListCounter {

    private final FeedCounter counter;

    ListCounter(FeedCounter counter) {
        this.counter = counter;
    }

    /**
     * Reads a page and counts its list at the same time, if the query requests a count.
     *
     * @param floor the oldest database state that an exact count may show; empty for any state
     * @param result combines the page with the number of items in the list, which is empty if no count was requested
     */
    <P, T> Uni<T> withCount(
            Uni<P> page, ParsedQuery query, Optional<Floor> floor, BiFunction<P, Optional<PageCount>, T> result) {
        if (query.count().isEmpty()) {
            return page.map(read -> result.apply(read, Optional.empty()));
        }
        ListState state = query.state();
        Uni<PageCount> count =
                state.feed().countsExactly(query.count().get()) ? countExactly(state, floor) : estimate(state);
        return Uni.combine().all().unis(page, count).with((read, counted) -> result.apply(read, Optional.of(counted)));
    }

    private Uni<PageCount> countExactly(ListState state, Optional<Floor> floor) {
        int cap = state.feed().policy().count().cap();
        return counter.countAll(state, cap + 1, floor).map(found -> PageCount.ofCapped(found, cap));
    }

    private Uni<PageCount> estimate(ListState state) {
        return counter.estimate(state).map(PageCount::ofEstimate);
    }
}
