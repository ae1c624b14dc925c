package dev.tidemark.client;

import java.util.List;

/**
 * Decides when items that come in above the first item of a {@link LiveList} are shown. All other changes are always
 * shown at once: edits, moves, deletions, and new items below the first item.
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface LivePolicy<T> {

    /**
     * Whether to show all waiting items now. Called after each change while items wait. Must return quickly, and must
     * not call the list.
     *
     * @param newAbove the items that wait, in the list's order
     * @return true to show the items now, false to count them until {@link LiveList#showNew}
     */
    boolean showsAtOnce(List<T> newAbove);

    /**
     * Returns the default policy: items above the first one wait for {@link LiveList#showNew}.
     *
     * @param <T> the type of the items
     * @return a policy that never shows waiting items at once
     */
    static <T> LivePolicy<T> inside() {
        return newAbove -> false;
    }

    /**
     * Returns the policy under which no item waits.
     *
     * @param <T> the type of the items
     * @return a policy that always shows items at once
     */
    static <T> LivePolicy<T> all() {
        return newAbove -> true;
    }
}
