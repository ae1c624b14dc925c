package dev.tidemark.http.page;

import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.paging.Floor;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Counts the items of a list while a page of the list is read. */
public final class ListCounter {

    private final FeedCounter counter;

    public ListCounter(FeedCounter counter) {
        this.counter = counter;
    }

    /**
     * A page with the count of its list.
     *
     * @param count the number of items in the list; empty if no count was requested
     */
    public record CountedPage<P>(P page, Optional<PageCount> count) {}

    /**
     * Reads a page and counts its list at the same time.
     *
     * @param precision the requested precision; empty for no count
     * @param floor the oldest database state that an exact count may show; empty for any state
     */
    public <P> Uni<CountedPage<P>> withCount(
            Uni<P> page, ListState state, Optional<Precision> precision, Optional<Floor> floor) {
        if (precision.isEmpty()) {
            return page.map(read -> new CountedPage<>(read, Optional.empty()));
        }
        Uni<PageCount> count =
                state.feed().countsExactly(precision.get()) ? countExactly(state, floor) : estimate(state);
        return Uni.combine()
                .all()
                .unis(page, count)
                .with((read, counted) -> new CountedPage<>(read, Optional.of(counted)));
    }

    private Uni<PageCount> countExactly(ListState state, Optional<Floor> floor) {
        int cap = state.feed().policy().count().cap();
        return counter.countAll(state, cap + 1, floor).map(found -> PageCount.ofCapped(found, cap));
    }

    private Uni<PageCount> estimate(ListState state) {
        return counter.estimate(state).map(PageCount::ofEstimate);
    }
}
