package dev.tidemark.feed;

/** Tells that the rows of feeds may have changed. */
public interface FeedChanges {

    /**
     * Calls {@code changed} after each change that was committed to the feed's rows: soon, where the database tells of it,
     * else at the configured interval, whether or not there was a change. Changes in quick succession may fall into one
     * call. It never fails: while the database is away it goes on calling at the interval.
     *
     * @param changed quick, and called on any thread, at times on several at once
     */
    Watch watch(Feed feed, Runnable changed);

    /** Someone who wants to be told of changes, until it is closed. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        /** After this a call that was under way already may still come. To close again does nothing. */
        @Override
        void close();
    }
}
