package dev.tidemark.feed.read;

import dev.tidemark.feed.ListState;

/** Notifies listeners when the rows of a list may have changed. */
public interface FeedChanges {

    /**
     * Calls {@code onChange} after each committed change to the list's rows or to the tables of the memberships in its
     * feed's scope, and sometimes without a change. If the table notifies of its changes, the call follows soon after
     * the change. {@code onChange} is also called regularly: at the configured poll interval, or less often while
     * notifications can arrive. Changes in quick succession can share one call. This method never fails.
     *
     * @param onChange must not block; can be called on any thread, and on several at once
     */
    Watch watch(ListState list, Runnable onChange);

    /** Like {@link #watch}, but {@code onChange} is also called after changes to the tables of the feed's embeds. */
    Watch watchWithEmbeds(ListState list, Runnable onChange);

    /** A subscription to changes, active until it is closed. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        /**
         * Ends the subscription. If a change is being reported at the same time, {@code onChange} can be called once
         * more. Closing twice has no effect.
         */
        @Override
        void close();
    }
}
