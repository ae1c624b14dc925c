package dev.tidemark.http.fresh;

import dev.tidemark.feed.FeedChanges;
import dev.tidemark.feed.FeedChanges.Watch;
import dev.tidemark.feed.FeedCounter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ReadFailure;
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
 * Tells all who want to know it how many items of a list are new, and shares among them the looks at the database that
 * takes: one for each list state and place, however many they are, and at most four in a second for each list state.
 *
 * <p>All that changes does so in one context of Vert.x, so that nothing here is locked.
 */
@Singleton
class FreshLooks {

    private static final Logger LOG = Logger.getLogger(FreshLooks.class);

    /** Counts at the same time, of all lists together: few enough that pages always find a connection. */
    private static final int ABREAST = 8;

    private final FeedCounter counter;
    private final FeedChanges changes;
    private final Counter looks;
    private final Counter counts;
    private final Vertx vertx;
    private final Context context;
    private final Lanes lanes = new Lanes(ABREAST);
    private final Map<ListState, WatchedList> lists = new ConcurrentHashMap<>();

    FreshLooks(FeedCounter counter, FeedChanges changes, MeterRegistry metrics, Vertx vertx) {
        this.counter = counter;
        this.changes = changes;
        this.vertx = vertx;
        this.context = VertxContext.getRootContext(vertx.getOrCreateContext());
        this.looks = Counter.builder("tidemark.fresh.looks")
                .description("Looks at a list for its open streams; one counts each place in it at most once")
                .register(metrics);
        this.counts = Counter.builder("tidemark.fresh.counts")
                .description("Counts that such looks took, one for each place")
                .register(metrics);
        Gauge.builder("tidemark.fresh.lists", lists, Map::size)
                .description("List states that are looked at for open streams")
                .register(metrics);
    }

    /**
     * Tells the listener, in a context that it must leave again quickly, the number as soon as it is known and whenever
     * it changes, until the watch is closed or it failed.
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

    private void run(Runnable task) {
        context.runOnContext(now -> task.run());
    }

    private WatchedList newList(ListState state) {
        return new WatchedList(new Keeper(state), changed -> changes.watch(state.feed(), changed));
    }

    private final class Keeper implements WatchedList.Keeper {

        private final ListState state;

        Keeper(ListState state) {
            this.state = state;
        }

        @Override
        public Uni<FreshCount> count(Continuation from) {
            return lanes.through(Uni.createFrom().deferred(() -> {
                        counts.increment();
                        return counter.beyond(state, from, FreshCount.COUNTED);
                    }))
                    .map(FreshCount::of)
                    .onFailure(failure -> !(failure instanceof ReadFailure))
                    .invoke(failure -> LOG.errorf(failure, "The items of %s were not counted", state))
                    .emitOn(FreshLooks.this::run);
        }

        @Override
        public void soon(Runnable task) {
            run(task);
        }

        @Override
        public void after(Duration delay, Runnable task) {
            // Whole milliseconds, rounded up: never too early.
            vertx.setTimer(delay.toMillis() + 1, timer -> run(task));
        }

        @Override
        public void lookStarts() {
            looks.increment();
        }

        @Override
        public void deserted(WatchedList list) {
            lists.remove(state, list);
        }
    }
}
