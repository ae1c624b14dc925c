package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.paging.Continuation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Counts the new items of lists for event streams. Streams with the same list state and position share one count, which
 * is repeated at most four times a second, and less often if the counts of all streams would take too much of the
 * database's time.
 *
 * <p>The watched lists are modified in a single Vert.x context, so they need no locks.
 */
@Singleton
class SharedCounts {

    private static final Logger LOG = Logger.getLogger(SharedCounts.class);

    private final FeedCounter counter;
    private final FeedChanges changes;
    private final Counter rounds;
    private final Counter counts;
    private final Timer statements;
    private final Timer delay;
    private final Vertx vertx;
    private final Context context;
    private final CountQueue queue;
    private final Map<ListState, WatchedList> lists = new ConcurrentHashMap<>();

    SharedCounts(FeedCounter counter, FeedChanges changes, MeterRegistry metrics, Vertx vertx) {
        this.counter = counter;
        this.changes = changes;
        this.vertx = vertx;
        this.context = VertxContext.getRootContext(vertx.getOrCreateContext());
        this.rounds = Counter.builder("tidemark.fresh.rounds")
                .description("Rounds in which the new items of a list are counted for its event streams")
                .register(metrics);
        this.counts = Counter.builder("tidemark.fresh.counts")
                .description("Counts of new items for event streams, at most one for each position in each round")
                .register(metrics);
        this.statements = Timer.builder("tidemark.fresh.statements")
                .description("The time of the statements that count new items for event streams")
                .register(metrics);
        this.delay = Timer.builder("tidemark.fresh.delay")
                .description(
                        "The time from the notice of a change to a number of new items, up to 100, that includes it")
                .register(metrics);
        this.queue = new CountQueue(this::count, this::runAfter);
        Gauge.builder("tidemark.fresh.lists", lists, Map::size)
                .description("Lists in which new items are counted for open event streams")
                .register(metrics);
    }

    /**
     * Calls the listener with the number of new items once it is known and whenever it changes, until the watch is
     * closed or {@link FreshListener#onFailure} has been called. The listener must not block.
     */
    Watch watch(ListState state, Continuation from, FreshListener listener) {
        run(() -> lists.computeIfAbsent(state, this::newList).add(from, listener));
        return () -> run(() -> {
            WatchedList list = lists.get(state);
            if (list != null) {
                list.remove(from, listener);
            }
        });
    }

    private WatchedList newList(ListState state) {
        return new WatchedList(state, this, changes);
    }

    /** Runs the task in the shared context. Callable from any thread. */
    void run(Runnable task) {
        context.runOnContext(now -> task.run());
    }

    /** Runs the task in the shared context after the delay. */
    void runAfter(Duration delay, Runnable task) {
        // Adds 1 ms, because toMillis() truncates and the task must never run early.
        vertx.setTimer(delay.toMillis() + 1, timer -> run(task));
    }

    /** Counts a round in the metrics. Called when a round starts. */
    void recordRound() {
        rounds.increment();
    }

    /** Returns the group of positions that are counted together; empty if the position is counted alone. */
    Optional<Object> group(Remainder remainder) {
        return counter.group(remainder);
    }

    /** Counts the items beyond a position when it is its turn. */
    void count(WatchedPosition position) {
        position.onQueued();
        queue.add(position);
    }

    /** Counts at positions of one group, and calls {@code onEnd}. */
    private void count(List<WatchedPosition> positions, Runnable onEnd) {
        positions.forEach(WatchedPosition::onCountStarted);
        counts.increment(positions.size());
        Timer.Sample sample = Timer.start();
        counter.countAfterChange(
                        positions.stream().map(WatchedPosition::remainder).toList(), FreshCount.COUNT_LIMIT)
                .onTermination()
                .invoke(() -> sample.stop(statements))
                .emitOn(this::run)
                .onTermination()
                .invoke(onEnd)
                .subscribe()
                .with(numbers -> onCounted(positions, numbers), failure -> onFailure(positions, failure));
    }

    private void onCounted(List<WatchedPosition> positions, List<Integer> numbers) {
        for (int i = 0; i < positions.size(); i++) {
            WatchedPosition position = positions.get(i);
            if (position.urgency() == CountQueue.Urgency.CHANGED) {
                delay.record(position.nanosSinceNotice(), TimeUnit.NANOSECONDS);
            }
            position.onCounted(FreshCount.of(numbers.get(i)));
            position.list().onCountEnded(position, false);
        }
    }

    /**
     * If the database rejected the count of several positions, the values of one of them may be the reason, so each is
     * counted alone.
     */
    private void onFailure(List<WatchedPosition> positions, Throwable failure) {
        if (!(failure instanceof ReadFailure)) {
            LOG.errorf(
                    failure,
                    "Cannot count the new items of %s",
                    positions.get(0).list().state());
        }
        if (positions.size() > 1 && !isOutage(failure)) {
            positions.forEach(WatchedPosition::countAlone);
            positions.forEach(queue::add);
            return;
        }
        for (WatchedPosition position : positions) {
            position.onCountFailed(failure);
            position.list().onCountEnded(position, true);
        }
    }

    private static boolean isOutage(Throwable failure) {
        return failure instanceof ReadFailure read
                && (read.reason() == Reason.UNAVAILABLE
                        || read.reason() == Reason.OVERLOADED
                        || read.reason() == Reason.LOCKED);
    }

    /** Drops a list that has no listeners left. */
    void drop(ListState state, WatchedList list) {
        lists.remove(state, list);
    }
}
