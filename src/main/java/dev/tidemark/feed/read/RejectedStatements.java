package dev.tidemark.feed.read;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The feeds of which the database has rejected a statement, although they match their tables as far as the catalogue
 * tells. A condition, view, or function of the table's owner fails for some row, and only the pages that touch this
 * row cannot be served. Thread-safe.
 */
@Singleton
public class RejectedStatements {

    /** For a repaired feed, no rejection is recorded; one that still fails is requested again within this time. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    private record Rejection(String sqlState, long nanos) {}

    private final Map<String, Rejection> latestByFeed = new ConcurrentHashMap<>();

    /** Records that the database has rejected a statement of the feed with this SQLSTATE. */
    public void record(String feed, String sqlState) {
        latestByFeed.put(feed, new Rejection(sqlState, System.nanoTime()));
    }

    /** Forgets the rejections of a feed, because it did not match its table, and matches it again. */
    public void forget(String feed) {
        latestByFeed.remove(feed);
    }

    /** Returns the SQLSTATE of the latest rejection of each feed, unless it was more than a minute ago. */
    public Map<String, String> recent() {
        long start = System.nanoTime() - KEPT.toNanos();
        latestByFeed.values().removeIf(rejection -> rejection.nanos() - start < 0);
        Map<String, String> recent = new TreeMap<>();
        latestByFeed.forEach((feed, rejection) -> recent.put(feed, rejection.sqlState()));
        return recent;
    }
}
