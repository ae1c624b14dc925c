package dev.tidemark.declare;

import dev.tidemark.feed.Feeds;

/** Everything that keeps something for each feed while the server is running. */
public interface FeedUsers {

    /**
     * Makes all users use the feeds that have replaced others. A request that has already found its feed continues with
     * that feed. Blocks. The replacements are passed in the order in which they are made.
     */
    void replace(Feeds.Replacement replacement);
}
