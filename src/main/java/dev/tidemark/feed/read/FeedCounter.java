package dev.tidemark.feed.read;

import dev.tidemark.feed.Column;
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

    /**
     * A number of items.
     *
     * @param isCut whether there can be more, because counting has looked at enough rows of a search
     */
    record ItemCount(int value, boolean isCut) {}

    /** Counts the items that a scroll would return if it continued at {@code from}. Counting stops at {@code cap}. */
    Uni<ItemCount> countRemaining(ListState state, Continuation from, int cap);

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
    Uni<List<ItemCount>> countAfterChange(List<Remainder> remainders, int cap);

    /** The largest number of values of a column by which items are counted. */
    int MAX_VALUES = 100;

    /**
     * The items of a list, by their values in a column.
     *
     * @param by one of the columns of {@link dev.tidemark.feed.Feed#counts}
     * @param named the values to count, in PostgreSQL's text format; a value that is named again is counted once.
     *     Empty for all values that occur
     * @param upTo where counting stops for each value
     */
    record CountsByValue(ListState list, Column by, Optional<List<String>> named, int upTo) {
        public CountsByValue {
            named = named.map(values -> values.stream().distinct().toList());
        }
    }

    /**
     * The number of items with one value.
     *
     * @param value a row with the value as its only column; unlike other rows, valid for as long as it is needed
     * @param count one more than {@link CountsByValue#upTo} if there are more items
     */
    record CountOfValue(RowValues value, int count) {}

    /** The most characters of the values that are reported together, unless they are named. */
    int MAX_VALUE_CHARACTERS = 100_000;

    /**
     * @param isComplete false if there are more values than {@link #MAX_VALUES} or {@link #MAX_VALUE_CHARACTERS}
     *     allows
     */
    record ValueCounts(List<CountOfValue> counts, boolean isComplete) {}

    /**
     * Counts the items with each value, in one snapshot.
     *
     * @return the counts of the named values, in their order, or of the values that occur, in the column's order, NULL
     *     last. A list of only items without a value has the count of NULL, even if it is 0
     */
    Uni<ValueCounts> countByValue(CountsByValue counts);

    /** Counts like {@link #countByValue}, but includes every change that {@link FeedChanges} has reported. */
    Uni<ValueCounts> countByValueAfterChange(CountsByValue counts);

    /** Whether an index serves the counts, so that their cost does not depend on the size of the list. */
    boolean isServedByIndex(CountsByValue counts);

    /**
     * Counts the items of the list. Counting stops at {@code cap}.
     *
     * @param floor the oldest database state that may be counted; empty if any state is acceptable
     */
    Uni<ItemCount> countAll(ListState state, int cap, Optional<Floor> floor);

    /** Returns the row estimate of PostgreSQL's planner, without reading any rows. */
    Uni<Long> estimate(ListState state);
}
