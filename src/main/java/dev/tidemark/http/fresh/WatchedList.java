package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.http.fresh.CountQueue.Urgency;
import dev.tidemark.paging.Continuation;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A list state with all watched positions in it. The items beyond these positions are counted in rounds. In
 * each round, the items beyond a position are counted at most once, and only if their number may have changed. Rounds
 * start at least {@link #MIN_INTERVAL} apart. The {@link CountQueue} decides when the positions of a round are counted.
 *
 * <p>A position with more new items than are counted takes part only in a round each {@link #MIN_INTERVAL_IF_CAPPED}.
 * Most changes are new items, which leave such a number as it is.
 *
 * <p>Not thread-safe except for {@link #onChange}: everything else runs in the context of {@link SharedCounts}.
 */
final class WatchedList {

    /**
     * The minimum time from the start of one round to the start of the next. For tables that are polled for changes,
     * {@code tidemark.fresh.poll-interval} (in {@code ChangesConfig}) is usually longer.
     */
    static final Duration MIN_INTERVAL = Duration.ofMillis(250);

    /** The minimum time between two rounds of the positions with more new items than are counted. */
    static final Duration MIN_INTERVAL_IF_CAPPED = Duration.ofSeconds(2);

    /** The minimum time from a count that failed to the start of the next round. */
    static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(2);

    private final ListState state;
    private final SharedCounts owner;
    private final Watch watch;
    /** Keyed by continuation without floor, so that listeners with different floors share a count. */
    private final Map<Continuation, WatchedPosition> positions = new HashMap<>();

    /** The positions that the next round must count. */
    private final Set<WatchedPosition> due = new LinkedHashSet<>();
    /** The positions that the next round of capped ones must count. */
    private final Set<WatchedPosition> cappedDue = new LinkedHashSet<>();

    private final AtomicBoolean hasChanged = new AtomicBoolean();

    /** When the first change since the last round was noticed. */
    private volatile long changeNanos;

    private long nextRoundNanos = System.nanoTime();
    private long nextCappedRoundNanos = nextRoundNanos;
    private boolean waiting;
    private long wakeUpNanos;

    WatchedList(ListState state, SharedCounts owner, FeedChanges changes) {
        this.state = state;
        this.owner = owner;
        this.watch = changes.watch(state, this::onChange);
    }

    ListState state() {
        return state;
    }

    void add(Continuation from, FreshListener listener) {
        WatchedPosition position = positions.computeIfAbsent(from.withoutFloor(), this::newPosition);
        position.add(from, listener);
        addIfDue(position);
        startRoundWhenDue();
    }

    private WatchedPosition newPosition(Continuation start) {
        return new WatchedPosition(this, start, owner.group(new Remainder(state, start)));
    }

    void remove(Continuation from, FreshListener listener) {
        WatchedPosition position = positions.get(from.withoutFloor());
        if (position != null) {
            position.remove(listener);
            if (position.hasNoListeners()) {
                positions.remove(from.withoutFloor());
                due.remove(position);
                cappedDue.remove(position);
            }
        }
        if (positions.isEmpty()) {
            startRoundWhenDue();
        }
    }

    /**
     * Marks the counts as possibly outdated. Callable from any thread; several calls before the next round have the
     * effect of one.
     */
    void onChange() {
        if (!hasChanged.get()) {
            changeNanos = System.nanoTime();
        }
        if (hasChanged.compareAndSet(false, true)) {
            owner.run(this::startRoundWhenDue);
        }
    }

    /** Called when a count of a position has ended. */
    void onCountEnded(WatchedPosition position, boolean hasFailed) {
        if (hasFailed) {
            nextRoundNanos = Math.max(nextRoundNanos, System.nanoTime() + MIN_INTERVAL_AFTER_FAILURE.toNanos());
        }
        addIfDue(position);
        startRoundWhenDue();
    }

    private void addIfDue(WatchedPosition position) {
        if (position.isDue() && !position.hasNoListeners()) {
            (position.urgency() == Urgency.CAPPED ? cappedDue : due).add(position);
        }
    }

    /**
     * Starts a round if a number is outdated, or drops the list if it has no positions. In both cases, waits
     * until the next round is due, so that a client that reconnects causes no extra round.
     */
    private void startRoundWhenDue() {
        boolean isOutdated = hasChanged.get() || !due.isEmpty();
        if (!isOutdated && cappedDue.isEmpty() && !positions.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        long start =
                isOutdated || positions.isEmpty() ? nextRoundNanos : Math.max(nextRoundNanos, nextCappedRoundNanos);
        if (start - now > 0) {
            wakeUpAt(start, now);
        } else if (positions.isEmpty()) {
            watch.close();
            owner.drop(state, this);
        } else {
            startRound(now);
            startRoundWhenDue();
        }
    }

    private void wakeUpAt(long start, long now) {
        if (waiting && wakeUpNanos - start <= 0) {
            return;
        }
        waiting = true;
        wakeUpNanos = start;
        owner.runAfter(Duration.ofNanos(start - now), () -> {
            // An earlier time can have been set since.
            waiting &= wakeUpNanos != start;
            startRoundWhenDue();
        });
    }

    private void startRound(long now) {
        nextRoundNanos = now + MIN_INTERVAL.toNanos();
        if (hasChanged.getAndSet(false)) {
            for (WatchedPosition position : positions.values()) {
                position.markOutdated(changeNanos);
                addIfDue(position);
            }
        }
        boolean isCappedRound = !cappedDue.isEmpty() && now - nextCappedRoundNanos >= 0;
        if (isCappedRound) {
            nextCappedRoundNanos = now + MIN_INTERVAL_IF_CAPPED.toNanos();
            due.addAll(cappedDue);
            cappedDue.clear();
        }
        if (!due.isEmpty()) {
            owner.recordRound();
            due.forEach(owner::count);
            due.clear();
        }
    }
}
