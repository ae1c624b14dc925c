package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.paging.Continuation;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A list state with all watched positions in it. The items beyond these positions are counted in rounds. In
 * each round, the items beyond a position are counted at most once, and only if their number may have changed. Rounds start at least {@link #MIN_INTERVAL} apart.
 *
 * <p>Not thread-safe except for {@link #onChange}: everything else runs in the context of {@link SharedCounts}.
 */
final class WatchedList {

    /**
     * The minimum time from the start of one round to the start of the next. For tables that are polled for changes,
     * {@code tidemark.fresh.poll-interval} (in {@code ChangesConfig}) is usually longer.
     */
    static final Duration MIN_INTERVAL = Duration.ofMillis(250);

    /** The minimum time from the start of a round in which a count failed to the start of the next round. */
    static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(2);

    /** The maximum number of concurrent counts in one list, so that one list cannot use up the limit for all lists. */
    private static final int MAX_CONCURRENT_COUNTS = 2;

    private final ListState state;
    private final SharedCounts owner;
    private final Watch watch;
    /** Keyed by continuation without floor, so that listeners with different floors share a count. */
    private final Map<Continuation, WatchedPosition> positions = new HashMap<>();

    private final AtomicBoolean hasChanged = new AtomicBoolean();
    private long nextRoundNanos = System.nanoTime();
    private boolean waiting;
    private boolean counting;
    private boolean hasFailed;

    WatchedList(ListState state, SharedCounts owner, FeedChanges changes) {
        this.state = state;
        this.owner = owner;
        this.watch = changes.watch(state.feed(), this::onChange);
    }

    void add(Continuation from, FreshListener listener) {
        positions.computeIfAbsent(from.withoutFloor(), WatchedPosition::new).add(from, listener);
        startRoundWhenDue();
    }

    void remove(Continuation from, FreshListener listener) {
        WatchedPosition position = positions.get(from.withoutFloor());
        if (position != null) {
            position.remove(listener);
            if (position.hasNoListeners()) {
                positions.remove(from.withoutFloor());
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
        if (hasChanged.compareAndSet(false, true)) {
            owner.run(this::startRoundWhenDue);
        }
    }

    /**
     * Starts a round if a number is outdated, or drops the list if it has no positions. In both cases, waits
     * until the next round is due, so that a client that reconnects causes no extra round.
     */
    private void startRoundWhenDue() {
        if (waiting || counting || !(positions.isEmpty() || isOutdated())) {
            return;
        }
        long wait = nextRoundNanos - System.nanoTime();
        if (wait > 0) {
            waiting = true;
            owner.runAfter(Duration.ofNanos(wait), () -> {
                waiting = false;
                startRoundWhenDue();
            });
        } else if (positions.isEmpty()) {
            watch.close();
            owner.drop(state, this);
        } else {
            startRound();
        }
    }

    private boolean isOutdated() {
        return hasChanged.get() || positions.values().stream().anyMatch(WatchedPosition::isOutdated);
    }

    private void startRound() {
        counting = true;
        hasFailed = false;
        long start = System.nanoTime();
        owner.recordRound();
        if (hasChanged.getAndSet(false)) {
            positions.values().forEach(WatchedPosition::markOutdated);
        }
        List<WatchedPosition> outdated =
                positions.values().stream().filter(WatchedPosition::isOutdated).toList();
        Multi.createFrom()
                .iterable(outdated)
                .onItem()
                .transformToUni(this::count)
                .merge(MAX_CONCURRENT_COUNTS)
                .onTermination()
                .invoke(() -> {
                    counting = false;
                    nextRoundNanos = start + (hasFailed ? MIN_INTERVAL_AFTER_FAILURE : MIN_INTERVAL).toNanos();
                    startRoundWhenDue();
                })
                .subscribe()
                .with(counted -> {});
    }

    /**
     * Counts the items beyond a position, unless the position has no listeners left. Never fails and always emits.
     */
    private Uni<WatchedPosition> count(WatchedPosition position) {
        if (position.hasNoListeners()) {
            return Uni.createFrom().item(position);
        }
        position.onCountStarted();
        return owner.count(state, position.from())
                .invoke(position::onCounted)
                .onFailure()
                .invoke(failure -> {
                    hasFailed = true;
                    position.onCountFailed(failure);
                })
                .onFailure()
                .recoverWithNull()
                .replaceWith(position);
    }
}
