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
 * A list state with all watched positions in it. The items beyond these positions are counted in rounds. A round runs
 * one count for each position whose number may have changed. The next round starts at least {@link #MIN_INTERVAL}
 * later.
 *
 * <p>Not thread-safe except for {@link #changed}: everything else runs in the context of {@link SharedCounts}.
 */
final class WatchedList {

    /**
     * The minimum time from the start of one round to the start of the next. For tables that are polled for changes,
     * {@code tidemark.fresh.poll-interval} (in {@code ChangesConfig}) is usually longer.
     */
    static final Duration MIN_INTERVAL = Duration.ofMillis(250);

    /** The minimum time from the start of a round in which a count failed to the start of the next. */
    static final Duration MIN_INTERVAL_AFTER_FAILURE = Duration.ofSeconds(2);

    /** The maximum number of concurrent counts in one list, so that one list cannot use up the limit for all lists. */
    private static final int MAX_CONCURRENT_COUNTS = 2;

    private final ListState state;
    private final SharedCounts owner;
    private final Watch watch;
    /** The positions by their continuation without its floor, so that listeners with different floors share a count. */
    private final Map<Continuation, WatchedPosition> positions = new HashMap<>();

    private final AtomicBoolean changed = new AtomicBoolean();
    private long nextRoundNanos = System.nanoTime();
    private boolean waiting;
    private boolean counting;
    private boolean failed;

    WatchedList(ListState state, SharedCounts owner, FeedChanges changes) {
        this.state = state;
        this.owner = owner;
        this.watch = changes.watch(state.feed(), this::changed);
    }

    void add(Continuation from, FreshListener listener) {
        positions.computeIfAbsent(from.withoutFloor(), WatchedPosition::new).add(from, listener);
        startRoundIfDue();
    }

    void remove(Continuation from, FreshListener listener) {
        WatchedPosition position = positions.get(from.withoutFloor());
        if (position != null) {
            position.remove(listener);
            if (position.isAbandoned()) {
                positions.remove(from.withoutFloor());
            }
        }
        if (positions.isEmpty()) {
            startRoundIfDue();
        }
    }

    /**
     * Marks the counts as possibly outdated. Callable from any thread; all calls before the next round count as one.
     */
    void changed() {
        if (changed.compareAndSet(false, true)) {
            owner.run(this::startRoundIfDue);
        }
    }

    /**
     * Starts a round, waits until the next one is due, or drops the list. An abandoned list is also kept until the next
     * round is due, so that a client that reconnects causes no extra round.
     */
    private void startRoundIfDue() {
        if (waiting || counting || !(positions.isEmpty() || isOutdated())) {
            return;
        }
        long wait = nextRoundNanos - System.nanoTime();
        if (wait > 0) {
            waiting = true;
            owner.runAfter(Duration.ofNanos(wait), () -> {
                waiting = false;
                startRoundIfDue();
            });
        } else if (positions.isEmpty()) {
            watch.close();
            owner.drop(state, this);
        } else {
            countRound();
        }
    }

    private boolean isOutdated() {
        return changed.get() || positions.values().stream().anyMatch(WatchedPosition::isOutdated);
    }

    private void countRound() {
        counting = true;
        failed = false;
        long start = System.nanoTime();
        owner.recordRound();
        if (changed.getAndSet(false)) {
            positions.values().forEach(WatchedPosition::outdate);
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
                    nextRoundNanos = start + (failed ? MIN_INTERVAL_AFTER_FAILURE : MIN_INTERVAL).toNanos();
                    startRoundIfDue();
                })
                .subscribe()
                .with(counted -> {});
    }

    /**
     * Counts the items beyond a position, unless the position was abandoned meanwhile. Never fails and always emits.
     */
    private Uni<WatchedPosition> count(WatchedPosition position) {
        if (position.isAbandoned()) {
            return Uni.createFrom().item(position);
        }
        position.countStarted();
        return owner.count(state, position.from())
                .invoke(position::counted)
                .onFailure()
                .invoke(failure -> {
                    failed = true;
                    position.failed(failure);
                })
                .onFailure()
                .recoverWithNull()
                .replaceWith(position);
    }
}
