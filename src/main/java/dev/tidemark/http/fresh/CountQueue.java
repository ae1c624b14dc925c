package dev.tidemark.http.fresh;

import dev.tidemark.feed.read.FeedCounter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;

/**
 * The positions that wait to be counted. Positions of one {@linkplain FeedCounter#group group}, which are usually all
 * positions of one list and of other lists with the same filters, are counted by one statement, up to
 * {@value #MAX_BATCH} at a time, and fewer while a statement with so many would take long.
 *
 * <p>Statements are paced: all together, they take at most {@link #SHARE} of one connection's time. The feeds share this
 * time equally. After each statement of a feed, its positions rest for a multiple of the time that the statement took, so
 * that a slow database or a locked table is asked less often. Within a feed, the lists that must be counted one by one
 * have their own share, because no index may serve them.
 *
 * <p>Positions whose number nobody has yet go first, and those with more than {@link FreshCount#MAX} new items last. No
 * position waits forever, because each of these three has some of the turns.
 *
 * <p>Not thread-safe: everything runs in the context of {@link SharedCounts}.
 */
final class CountQueue {

    /** The part of one connection's time that all statements together take at most. */
    static final double SHARE = 0.2;

    /** The maximum number of positions that one statement counts. */
    static final int MAX_BATCH = 256;

    /**
     * The smallest number of positions to which a batch shrinks. If the database or this process is busy, a statement is
     * slow however few positions it counts, and smaller batches would only make each position wait longer.
     */
    private static final int MIN_BATCH = 16;

    /** Below half of this time, the next statement of a feed counts twice as many positions; above it, half as many. */
    private static final Duration LONG_STATEMENT = Duration.ofMillis(500);

    /**
     * The shortest rest between two statements of a feed. A statement over a cached index takes less than a millisecond, so
     * that the share alone would allow hundreds of them each second.
     */
    private static final Duration MIN_REST = Duration.ofMillis(5);

    /** The longest rest. Otherwise, a statement that got no answer until its timeout would stop all counts for minutes. */
    private static final Duration MAX_REST = Duration.ofSeconds(2);

    /** Whose turn it is. The first of these that waits gets it; if only others wait, they do. */
    private static final Urgency[] TURNS = {
        Urgency.FIRST, Urgency.FIRST, Urgency.CHANGED, Urgency.FIRST, Urgency.CHANGED, Urgency.CAPPED
    };

    /** How soon a position must be counted, most urgent first. */
    enum Urgency {
        /** The number is not known, and a client waits for it. */
        FIRST,
        /** The number may have changed. */
        CHANGED,
        /** The number may have changed, but there were more items than are counted. */
        CAPPED
    }

    /** Counts positions of one group, and calls {@code onEnd} in the context of {@link SharedCounts}. Never fails. */
    interface Counting {
        void count(List<WatchedPosition> positions, Runnable onEnd);
    }

    /** Runs a task in the context of {@link SharedCounts} after a delay. */
    interface Timers {
        void runAfter(Duration delay, Runnable task);
    }

    private final Counting counting;
    private final Timers timers;
    private final Map<LaneKey, Lane> lanes = new HashMap<>();

    private record LaneKey(String feed, boolean isGrouped) {}

    CountQueue(Counting counting, Timers timers) {
        this.counting = counting;
        this.timers = timers;
    }

    /** Counts a position when it is its turn. The position must not be waiting or being counted. */
    void add(WatchedPosition position) {
        Optional<Object> group = position.isAlone() ? Optional.empty() : position.group();
        String feed = position.list().state().feed().name();
        lanes.computeIfAbsent(new LaneKey(feed, group.isPresent()), key -> new Lane(key))
                .add(position, group.orElse(position));
    }

    /** The positions of one feed: either those that are counted in groups, or those that are counted one by one. */
    private final class Lane {

        private final LaneKey key;
        private final Map<Urgency, Map<Object, Queue<WatchedPosition>>> waiting = new EnumMap<>(Urgency.class);
        private int maxBatch = 64;
        private int turn;
        private boolean isBusy;

        Lane(LaneKey key) {
            this.key = key;
            for (Urgency urgency : Urgency.values()) {
                // The groups take turns, in the order in which they came.
                waiting.put(urgency, new LinkedHashMap<>());
            }
        }

        private Map<Object, Queue<WatchedPosition>> groups(Urgency urgency) {
            return Objects.requireNonNull(waiting.get(urgency));
        }

        void add(WatchedPosition position, Object group) {
            groups(position.urgency())
                    .computeIfAbsent(group, name -> new ArrayDeque<>())
                    .add(position);
            if (!isBusy) {
                isBusy = true;
                // After the positions that are added together with this one.
                timers.runAfter(Duration.ZERO, this::countNext);
            }
        }

        private void countNext() {
            List<WatchedPosition> batch = nextBatch();
            if (batch.isEmpty()) {
                lanes.remove(key);
                return;
            }
            long start = System.nanoTime();
            counting.count(batch, () -> {
                long tookNanos = System.nanoTime() - start;
                adaptBatchSize(tookNanos, batch.size());
                long restNanos = (long) (tookNanos * (lanes.size() / SHARE - 1));
                timers.runAfter(
                        Duration.ofNanos(Math.max(MIN_REST.toNanos(), Math.min(restNanos, MAX_REST.toNanos()))),
                        this::countNext);
            });
        }

        private void adaptBatchSize(long tookNanos, int size) {
            if (tookNanos > LONG_STATEMENT.toNanos()) {
                maxBatch = Math.max(MIN_BATCH, maxBatch / 2);
            } else if (tookNanos < LONG_STATEMENT.toNanos() / 2 && size == maxBatch) {
                maxBatch = Math.min(MAX_BATCH, maxBatch * 2);
            }
        }

        /** Returns positions of one group that still have listeners; empty if none is waiting. */
        private List<WatchedPosition> nextBatch() {
            List<WatchedPosition> batch = new ArrayList<>();
            while (batch.isEmpty() && waiting.values().stream().anyMatch(groups -> !groups.isEmpty())) {
                takeGroup(groups(nextUrgency()), batch);
            }
            return batch;
        }

        private Urgency nextUrgency() {
            Urgency preferred = TURNS[turn];
            turn = (turn + 1) % TURNS.length;
            return !groups(preferred).isEmpty()
                    ? preferred
                    : waiting.entrySet().stream()
                            .filter(entry -> !entry.getValue().isEmpty())
                            .findFirst()
                            .orElseThrow()
                            .getKey();
        }

        private void takeGroup(Map<Object, Queue<WatchedPosition>> groups, List<WatchedPosition> batch) {
            Object group = groups.keySet().iterator().next();
            Queue<WatchedPosition> positions = groups.remove(group);
            while (batch.size() < maxBatch && !positions.isEmpty()) {
                WatchedPosition position = positions.remove();
                if (!position.hasNoListeners()) {
                    batch.add(position);
                }
            }
            if (!positions.isEmpty()) {
                groups.put(group, positions);
            }
        }
    }
}
