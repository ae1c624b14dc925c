package dev.tidemark.http;

import dev.tidemark.feed.Feed.Count;
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Page;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * The number of items in a list, as far as it was asked for.
 *
 * @param relation how the number stands to the truth: {@code exact}, {@code estimate} or {@code at_least}
 */
record PageCount(long value, String relation) {

    private static final String EXACT = "exact";

    /** @return nothing where nothing was asked for */
    static Uni<Optional<PageCount>> of(FeedCounter counter, ListState state, Optional<Precision> asked) {
        if (asked.isEmpty()) {
            return Uni.createFrom().item(Optional.empty());
        }
        return (asked.get() == Precision.EXACT ? exact(counter, state) : estimate(counter, state)).map(Optional::of);
    }

    private static Uni<PageCount> exact(FeedCounter counter, ListState state) {
        Count count = state.feed().policy().count();
        return counter.exact(state, count.cap() + 1)
                .map(found ->
                        found > count.cap() ? new PageCount(count.cap(), "at_least") : new PageCount(found, EXACT));
    }

    private static Uni<PageCount> estimate(FeedCounter counter, ListState state) {
        return counter.estimate(state).map(expected -> new PageCount(expected, "estimate"));
    }

    boolean isExact() {
        return relation.equals(EXACT);
    }

    /** An estimate is never below what the page itself proves. */
    PageCount provenBy(Page page) {
        long proven = page.size() + (page.hasPrevious() ? 1 : 0) + (page.hasNext() ? 1 : 0);
        return relation.equals("estimate") && value < proven ? new PageCount(proven, relation) : this;
    }

    void write(JsonBytes json) {
        json.raw(",\"count\":{\"value\":")
                .number(value)
                .raw(",\"relation\":")
                .string(relation)
                .raw('}');
    }
}
