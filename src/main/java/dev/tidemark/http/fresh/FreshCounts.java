package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.events.ConcurrencyLimit;
import dev.tidemark.http.events.SharedReads;
import dev.tidemark.paging.Continuation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Counts the new items of lists for event streams. Streams with the same list state and position share one count,
 * which is repeated at most four times a second, and less often if the counts of a feed would take more than half of
 * one connection's time.
 */
@Singleton
class FreshCounts {

    private static final Logger LOG = Logger.getLogger(FreshCounts.class);

    /**
     * The shortest rest between two statements of a feed. A statement over a cached index takes less than a
     * millisecond, so that without it there would be hundreds of them each second.
     */
    private static final Duration MIN_REST = Duration.ofMillis(5);

    private final FeedCounter counter;
    private final FeedChanges changes;
    private final Counter rounds;
    private final Counter counts;
    private final Timer statements;
    private final Timer delay;
    private final Vertx vertx;
    private final SharedReads<Object, CountedGroup> groups = new SharedReads<>();
    private final Map<Turn, ConcurrencyLimit> turns = new ConcurrentHashMap<>();
    private final AtomicInteger lists = new AtomicInteger();

    /**
     * Whose statements run one after the other. The positions of a feed that must be counted one by one take turns of
     * their own, because no index may serve them.
     */
    private record Turn(String feed, boolean isGrouped) {}

    FreshCounts(FeedCounter counter, FeedChanges changes, MeterRegistry metrics, Vertx vertx) {
        this.counter = counter;
        this.changes = changes;
        this.vertx = vertx;
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
        Gauge.builder("tidemark.fresh.lists", lists, AtomicInteger::get)
                .description("Lists in which new items are counted for open event streams")
                .register(metrics);
    }

    /**
     * Calls the listener with the number of new items once it is known and whenever it changes, until the watch is
     * closed or {@link FreshListener#onFailure} has been called. The listener must not block.
     */
    Watch watch(ListState state, Continuation from, FreshListener listener) {
        Remainder remainder = new Remainder(state, from).withoutFloor();
        Optional<Object> group = counter.group(remainder);
        Object key = group.orElse(remainder);
        ConcurrencyLimit turn = turns.computeIfAbsent(
                new Turn(state.feed().name(), group.isPresent()), created -> new ConcurrencyLimit(1));
        return groups.follow(
                key,
                () -> new CountedGroup(key, turn, this, changes, vertx),
                counted -> counted.add(remainder, from, listener),
                counted -> counted.remove(remainder, listener));
    }

    /** Counts at positions of one group when it is its turn. */
    Uni<List<ItemCount>> count(List<WatchedPosition> positions, ConcurrencyLimit turn) {
        boolean isAwaited = positions.stream().anyMatch(position -> !position.isCounted());
        List<Remainder> remainders =
                positions.stream().map(WatchedPosition::remainder).toList();
        Uni<List<ItemCount>> statement = Uni.createFrom().deferred(() -> {
            counts.increment(positions.size());
            Timer.Sample sample = Timer.start();
            return counter.countAfterChange(remainders, FreshCount.COUNT_LIMIT)
                    .onTermination()
                    .invoke(() -> sample.stop(statements));
        });
        return turn.applyAndRest(statement, isAwaited, MIN_REST, vertx)
                .onFailure(failure -> !(failure instanceof ReadFailure))
                .invoke(failure -> LOG.errorf(
                        failure,
                        "Cannot count the new items of %s",
                        positions.get(0).remainder().list()));
    }

    void recordRound() {
        rounds.increment();
    }

    /** @param noticedNanos when the change was noticed that a number now includes */
    void recordDelay(long noticedNanos) {
        delay.record(System.nanoTime() - noticedNanos, TimeUnit.NANOSECONDS);
    }

    /** @param added the number of lists that are watched from now on; negative if they no longer are */
    void recordLists(int added) {
        lists.addAndGet(added);
    }

    void remove(Object key, CountedGroup dropped) {
        groups.remove(key, dropped);
    }
}
