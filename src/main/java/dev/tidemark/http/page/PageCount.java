package dev.tidemark.http.page;

import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Page;

/**
 * The number of items in a list, and how precise the number is.
 *
 * @param relation how the value relates to the true number: {@code exact}, {@code estimate} or {@code at_least}
 */
public record PageCount(long value, String relation) {

    private static final String EXACT = "exact";
    private static final String AT_LEAST = "at_least";
    private static final String ESTIMATE = "estimate";

    public static PageCount ofExact(long value) {
        return new PageCount(value, EXACT);
    }

    /**
     * @param found the number of items that were counted, up to {@code cap + 1}
     * @param cap the largest count that is exact
     */
    static PageCount ofCapped(ItemCount found, int cap) {
        return found.value() > cap || found.isCut()
                ? new PageCount(Math.min(found.value(), cap), AT_LEAST)
                : ofExact(found.value());
    }

    static PageCount ofEstimate(long expected) {
        return new PageCount(expected, ESTIMATE);
    }

    public boolean isExact() {
        return relation.equals(EXACT);
    }

    /**
     * Returns this count, with an estimate raised to at least the number of items that the page proves to exist.
     *
     * @param isSearch whether rows beyond the page need not be items
     */
    PageCount correctedBy(Page page, boolean isSearch) {
        int beyond = isSearch ? 0 : (page.hasPrevious() ? 1 : 0) + (page.hasNext() ? 1 : 0);
        long provenItems = (long) page.size() + beyond;
        return relation.equals(ESTIMATE) && value < provenItems ? new PageCount(provenItems, relation) : this;
    }

    void write(JsonBytes json) {
        json.raw("\"count\":{\"value\":")
                .number(value)
                .raw(",\"relation\":")
                .string(relation)
                .raw('}');
    }
}
