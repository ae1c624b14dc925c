package dev.tidemark.http.edge;

import dev.tidemark.framework.DirectMemory;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of all responses in this process that clients have not read, and of the heads of requests that stay in
 * memory, and the budget for them. If there are more, the connections that have accepted nothing for longest are
 * closed.
 */
final class UnreadBytes {

    private static final long MEGABYTE = 1024 * 1024;
    private static final int PART_OF_MEMORY = 4;
    private static final long MAX_BUDGET = 256 * MEGABYTE;
    private static final int CONNECTIONS_AT_LIMIT = 4;

    private final long budget;
    private final long connectionBudget;
    private final AtomicLong total = new AtomicLong();

    /** The bytes of connections that are about to be closed. They are still part of the total. */
    private final AtomicLong closing = new AtomicLong();

    private final AtomicLong closedConnections = new AtomicLong();
    private final Set<ConnectionGuard> unread = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean choosing = new AtomicBoolean();

    UnreadBytes(long budget) {
        this.budget = budget;
        this.connectionBudget = budget / CONNECTIONS_AT_LIMIT;
    }

    /** The budget is a quarter of the heap or of the direct memory, whichever is smaller. Responses use both. */
    static UnreadBytes forThisProcess() {
        long memory = Math.min(Runtime.getRuntime().maxMemory(), DirectMemory.maxBytes());
        return new UnreadBytes(Math.min(MAX_BUDGET, memory / PART_OF_MEMORY));
    }

    /** Returns the number of unread bytes of responses above which the requests of a connection wait. */
    long connectionBudget() {
        return connectionBudget;
    }

    /** Returns whether this many more bytes would exceed the budget. */
    boolean isOverBudget(int moreBytes) {
        return total.get() + moreBytes > budget;
    }

    /** Returns whether twice the budget is used, because connections are not closed as fast as others are filled. */
    boolean isFarOverBudget() {
        return total.get() > 2 * budget;
    }

    /** Adds the change of one connection, whose number of unread bytes was {@code before}, and is {@code now}. */
    void change(ConnectionGuard connection, long before, long now) {
        if (before == 0) {
            unread.add(connection);
        } else if (now == 0) {
            unread.remove(connection);
        }
        if (total.addAndGet(now - before) - closing.get() > budget && now > before) {
            closeLongestStalled();
        }
    }

    /** Adds the bytes of a connection that is about to be closed, or subtracts them once it has been closed. */
    void changeClosing(long bytes) {
        closing.addAndGet(bytes);
    }

    /**
     * Closes connections until seven eighths of the budget are used, so that the next choice is not due at once.
     * Connections with less than half of the average are spared: together, they have less than half of all bytes.
     */
    private void closeLongestStalled() {
        if (!choosing.compareAndSet(false, true)) {
            return;
        }
        try {
            record Candidate(ConnectionGuard connection, long lastProgress) {}
            long now = System.nanoTime();
            long spared = total.get() / 2 / Math.max(1, unread.size());
            List<Candidate> longestStalledFirst = unread.stream()
                    .filter(connection -> connection.published() >= spared)
                    .map(connection -> new Candidate(connection, connection.lastProgress(now)))
                    .sorted(Comparator.comparingLong(candidate -> candidate.lastProgress() - now))
                    .toList();
            for (Candidate candidate : longestStalledFirst) {
                if (total.get() - closing.get() <= budget - budget / 8) {
                    break;
                }
                closedConnections.addAndGet(candidate.connection().closeBecauseUnread() ? 1 : 0);
            }
        } finally {
            choosing.set(false);
        }
    }

    long total() {
        return total.get();
    }

    long closedConnections() {
        return closedConnections.get();
    }
}
