package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.ReadFailure.Reason;
import dev.tidemark.http.events.ConcurrencyLimit;
import dev.tidemark.http.events.SharedRead;
import dev.tidemark.paging.Continuation;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The watched positions of one {@linkplain FeedCounter#group group}, which are usually all positions of one list and
 * of other lists with the same filters. After a change, one statement counts the items beyond up to
 * {@value #MAX_BATCH} of them, and fewer while such statements time out. A round counts the items beyond each position
 * whose number may have changed when it began, first those that nobody has counted yet. Positions that come meanwhile
 * get up to half of each statement.
 */
final class CountedGroup extends SharedRead {

    /** The maximum number of positions that one statement counts. */
    static final int MAX_BATCH = 256;

    /** Below this time, the next statement counts at up to twice as many positions. */
    private static final Duration SHORT_STATEMENT = Duration.ofMillis(500);

    /** The minimum time from a count that failed to the start of the next round. */
    static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(2);

    /** These fail the counts of all positions alike. */
    private static final Set<Reason> OUTAGES = Set.of(Reason.UNAVAILABLE, Reason.OVERLOADED, Reason.LOCKED);

    private final Object key;
    private final ConcurrencyLimit turn;
    private final FreshCounts owner;
    private final FeedChanges changes;

    /** Keyed by remainder without floor, so that listeners with different floors share a count. */
    private final Map<Remainder, WatchedPosition> positions = new HashMap<>();

    private final Map<ListState, WatchedList> lists = new HashMap<>();

    /** The lists of which a change was noticed since the last round began. */
    private final Queue<WatchedList> changed = new ConcurrentLinkedQueue<>();

    /** Whether {@link #readWhenDue} has been called for {@link #changed}. */
    private final AtomicBoolean awake = new AtomicBoolean();

    /** The positions that the next round must count. Those that were never counted need not wait for it. */
    private final Set<WatchedPosition> due = new LinkedHashSet<>();

    /** The positions that the running round has not counted yet. */
    private final Deque<WatchedPosition> round = new ArrayDeque<>();

    private int maxBatch = MAX_BATCH;

    /** A list of the group, with its positions. */
    private final class WatchedList {

        private final Set<WatchedPosition> positions = new LinkedHashSet<>();

        /** When the first change since the last round was noticed; 0 if none was. */
        private final AtomicLong changeNanos = new AtomicLong();

        private final Watch watch;

        WatchedList(ListState state) {
            watch = changes.watch(state, this::onChange);
        }

        /** Marks the numbers as possibly outdated. Callable from any thread. */
        private void onChange() {
            // The lowest bit makes sure that the time is not 0, which stands for no change.
            if (changeNanos.compareAndSet(0, System.nanoTime() | 1)) {
                changed.add(this);
                if (awake.compareAndSet(false, true)) {
                    run(CountedGroup.this::readWhenDue);
                }
            }
        }
    }

    /**
     * @param key of this group among those of the owner
     * @param turn of the statements
     */
    CountedGroup(Object key, ConcurrencyLimit turn, FreshCounts owner, FeedChanges changes, Vertx vertx) {
        super(vertx);
        this.key = key;
        this.turn = turn;
        this.owner = owner;
        this.changes = changes;
    }

    /** @param remainder without a floor */
    void add(Remainder remainder, Continuation from, FreshListener listener) {
        assertOnEventLoop();
        WatchedPosition position = positions.computeIfAbsent(remainder, this::newPosition);
        position.add(from, listener);
        if (!position.isCounted()) {
            due.add(position);
        }
        readWhenDue();
    }

    private WatchedPosition newPosition(Remainder remainder) {
        WatchedPosition position = new WatchedPosition(remainder);
        lists.computeIfAbsent(remainder.list(), this::newList).positions.add(position);
        return position;
    }

    private WatchedList newList(ListState state) {
        owner.recordLists(1);
        return new WatchedList(state);
    }

    /** @param remainder without a floor */
    void remove(Remainder remainder, FreshListener listener) {
        assertOnEventLoop();
        WatchedPosition position = positions.get(remainder);
        if (position != null) {
            position.remove(listener);
            removeIfIdle(position);
        }
        readWhenDue();
    }

    private void removeIfIdle(WatchedPosition position) {
        if (position.hasNoListeners()) {
            Remainder remainder = position.remainder().withoutFloor();
            // Another one may have taken its place.
            positions.remove(remainder, position);
            due.remove(position);
            WatchedList list = lists.get(remainder.list());
            if (list != null && list.positions.remove(position) && list.positions.isEmpty()) {
                list.watch.close();
                lists.remove(remainder.list());
                owner.recordLists(-1);
            }
        }
    }

    @Override
    protected boolean isIdle() {
        return positions.isEmpty();
    }

    @Override
    protected boolean isOutdated() {
        return !due.isEmpty() || !changed.isEmpty();
    }

    @Override
    protected void onDrop() {
        owner.remove(key, this);
    }

    @Override
    protected void read() {
        awake.set(false);
        for (WatchedList list; (list = changed.poll()) != null; ) {
            // Changes that are noticed from now on may be missing from the counts, and lead to another round.
            long noticedNanos = list.changeNanos.getAndSet(0);
            list.positions.forEach(position -> position.markOutdated(noticedNanos));
            due.addAll(list.positions);
        }
        due.stream().filter(position -> !position.isCounted()).forEach(round::add);
        due.stream().filter(WatchedPosition::isCounted).forEach(round::add);
        due.clear();
        owner.recordRound();
        countNext();
    }

    /** Counts at the next positions of the round; ends the round if there are none. */
    private void countNext() {
        List<WatchedPosition> batch = nextBatch();
        if (batch.isEmpty()) {
            endRead();
            return;
        }
        long start = System.nanoTime();
        count(batch)
                .subscribe()
                .with(
                        done -> {
                            boolean isShort = System.nanoTime() - start < SHORT_STATEMENT.toNanos();
                            maxBatch = isShort ? Math.min(MAX_BATCH, 2 * maxBatch) : maxBatch;
                            countNext();
                        },
                        failure -> onUncounted(batch, failure));
    }

    private List<WatchedPosition> nextBatch() {
        round.removeIf(WatchedPosition::hasNoListeners);
        if (round.isEmpty()) {
            return List.of();
        }
        List<WatchedPosition> batch = due.stream()
                .filter(position -> !position.isCounted())
                .limit(maxBatch / 2)
                .collect(Collectors.toCollection(ArrayList::new));
        batch.forEach(due::remove);
        while (batch.size() < maxBatch && !round.isEmpty()) {
            batch.add(round.remove());
        }
        return batch;
    }

    /** Fails in an outage, and if a statement for several positions has timed out. */
    private Uni<Void> count(List<WatchedPosition> batch) {
        return owner.count(batch, turn)
                .emitOn(this::run)
                .invoke(numbers -> onCounted(batch, numbers))
                .replaceWithVoid()
                .onFailure(failure -> !isOutage(failure) && !(isTimeout(failure) && batch.size() > 1))
                .recoverWithUni(failure -> onRejected(batch, failure));
    }

    private void onCounted(List<WatchedPosition> batch, List<ItemCount> numbers) {
        for (int i = 0; i < batch.size(); i++) {
            WatchedPosition position = batch.get(i);
            position.changeToReport().ifPresent(owner::recordDelay);
            position.onCounted(FreshCount.of(numbers.get(i)));
        }
    }

    /** If the database rejected the count of several positions, the values of one of them may be the reason. */
    private Uni<Void> onRejected(List<WatchedPosition> batch, Throwable failure) {
        if (batch.size() > 1) {
            int half = batch.size() / 2;
            return count(batch.subList(0, half)).chain(() -> count(batch.subList(half, batch.size())));
        }
        onFailure(batch, failure);
        return Uni.createFrom().voidItem();
    }

    private void onUncounted(List<WatchedPosition> batch, Throwable failure) {
        if (isTimeout(failure)) {
            maxBatch = Math.max(1, batch.size() / 2);
            batch.forEach(round::addFirst);
            countNext();
            return;
        }
        // Ends the round. Whoever waits for a first number learns of the outage; the others keep theirs until the next
        // one.
        round.addAll(batch);
        round.addAll(due);
        onFailure(List.copyOf(round), failure);
        round.clear();
        endRead();
    }

    private void onFailure(List<WatchedPosition> uncounted, Throwable failure) {
        delayNextRead(MIN_INTERVAL_AFTER_FAILURE);
        for (WatchedPosition position : uncounted) {
            position.onCountFailed(failure);
            if (!position.hasNoListeners()) {
                due.add(position);
            }
            removeIfIdle(position);
        }
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof ReadFailure read && read.reason() == Reason.TIMEOUT;
    }

    private static boolean isOutage(Throwable failure) {
        return failure instanceof ReadFailure read && OUTAGES.contains(read.reason());
    }
}
