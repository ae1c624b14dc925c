package dev.tidemark.http.page;

import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.ListState;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The counting of a list's items, where it is wanted.
 *
 * @param wanted how; empty for no count at all
 */
public record Counting(FeedCounter counter, ListState state, Optional<Precision> wanted) {

    /** Counts while a page is being read, and puts the two together. */
    public <P, T> Uni<T> beside(Uni<P> read, BiFunction<P, Optional<PageCount>, T> both) {
        if (wanted.isEmpty()) {
            return read.map(page -> both.apply(page, Optional.empty()));
        }
        Uni<PageCount> counted = wanted.get() == Precision.EXACT || isScoped() ? exact() : estimate();
        return Uni.combine().all().unis(read, counted).with((page, count) -> both.apply(page, Optional.of(count)));
    }

    /** The planner's statistics are of all rows, so that an estimate would tell of those of others. */
    private boolean isScoped() {
        return !state.feed().access().scope().isEmpty();
    }

    private Uni<PageCount> exact() {
        int cap = state.feed().policy().count().cap();
        return counter.exact(state, cap + 1).map(found -> PageCount.counted(found, cap));
    }

    private Uni<PageCount> estimate() {
        return counter.estimate(state).map(PageCount::estimated);
    }
}
