package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.events.ConcurrencyLimit;
import dev.tidemark.paging.Continuation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Counts the new items of lists for event streams. Streams with the same list state and position share one count, which
 * is repeated at most four times a second.
 *
 * <p>The watched lists are modified in a single Vert.x context, so they need no locks.
 */
@Singleton
class SharedCounts {

    private static final Logger LOG = Logger.getLogger(SharedCounts.class);

    /** The maximum number of concurrent counts over all lists. The limit leaves connections for pages. */
    private static final int MAX_CONCURRENT_COUNTS = 8;

    private final FeedCounter counter;
    private final FeedChanges changes;
    private final Counter rounds;
    private final Counter counts;
    private final Vertx vertx;
    private final Context context;
    private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_CONCURRENT_COUNTS);
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

    /** Queries the number of items beyond a position. Emits in the shared context. */
    Uni<FreshCount> count(ListState state, Continuation from) {
        return limit.apply(Uni.createFrom().deferred(() -> {
                    counts.increment();
                    return counter.countRemainingAfterChange(state, from, FreshCount.COUNT_LIMIT);
                }))
                .map(FreshCount::of)
                .onFailure(failure -> !(failure instanceof ReadFailure))
                .invoke(failure -> LOG.errorf(failure, "Cannot count the new items of %s", state))
                .emitOn(this::run);
    }

    /** Drops a list that has no listeners left. */
    void drop(ListState state, WatchedList list) {
        lists.remove(state, list);
    }
}
