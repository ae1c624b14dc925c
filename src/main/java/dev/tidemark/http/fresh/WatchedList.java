package dev.tidemark.http.fresh;

import dev.tidemark.feed.FeedChanges.Watch;
import dev.tidemark.paging.Continuation;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * One list state with all the places in it that someone watches. It takes one look for all of them, in which each place
 * whose number may have changed is counted once, and takes the next one no sooner than {@link #BETWEEN_LOOKS} after.
 *
 * <p>Not thread-safe but for {@link #changed}: everything happens in the one context of {@link FreshLooks}.
 */
final class WatchedList {

    /** From the start of one look to the start of the next: four in a second. */
    static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    /** The same where a place could not be counted. */
    static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    /** Places that are counted at the same time, so that one long list does not keep the others from their turn. */
    private static final int ABREAST = 2;

    /** What a list needs of those who keep it. */
    interface Keeper {
        /** Counts in the database, and emits in the context of all lists. */
        Uni<FreshCount> count(Continuation from);

        /** Calls back in the context of all lists; may itself be called from elsewhere. */
        void soon(Runnable task);

        /** Calls back in the context of all lists. */
        void after(Duration delay, Runnable task);

        void lookStarts();

        /** Nobody watches the list any more, and it may be forgotten. */
        void deserted(WatchedList list);
    }

    private final Keeper keeper;
    private final Watch watch;
    private final Map<Continuation, WatchedPosition> positions = new HashMap<>();
    private final AtomicBoolean changed = new AtomicBoolean();
    private long nextLook = System.nanoTime();
    private boolean waiting;
    private boolean looking;
    private boolean failed;

    /** @param watching watches the list's feed, given what to call */
    WatchedList(Keeper keeper, Function<Runnable, Watch> watching) {
        this.keeper = keeper;
        this.watch = watching.apply(this::changed);
    }

    void add(Continuation from, FreshListener listener) {
        positions.computeIfAbsent(from, WatchedPosition::new).add(listener);
        goOn();
    }

    void remove(Continuation from, FreshListener listener) {
        WatchedPosition position = positions.get(from);
        if (position != null) {
            position.remove(listener);
            if (position.isDeserted()) {
                positions.remove(from);
            }
        }
        if (positions.isEmpty()) {
            goOn();
        }
    }

    /** The list's rows may be others now. From any thread; until the next look starts, one call is as good as many. */
    void changed() {
        if (changed.compareAndSet(false, true)) {
            keeper.soon(this::goOn);
        }
    }

    /**
     * Looks, or waits until it may, or ends. A list that is deserted is kept until then too, so that who leaves and comes
     * back causes no look more.
     */
    private void goOn() {
        if (waiting || looking || !(positions.isEmpty() || isOutdated())) {
            return;
        }
        long wait = nextLook - System.nanoTime();
        if (wait > 0) {
            waiting = true;
            keeper.after(Duration.ofNanos(wait), () -> {
                waiting = false;
                goOn();
            });
        } else if (positions.isEmpty()) {
            watch.close();
            keeper.deserted(this);
        } else {
            look();
        }
    }

    private boolean isOutdated() {
        return changed.get() || positions.values().stream().anyMatch(WatchedPosition::isOutdated);
    }

    private void look() {
        looking = true;
        failed = false;
        long start = System.nanoTime();
        keeper.lookStarts();
        if (changed.getAndSet(false)) {
            positions.values().forEach(WatchedPosition::outdate);
        }
        List<WatchedPosition> outdated =
                positions.values().stream().filter(WatchedPosition::isOutdated).toList();
        Multi.createFrom()
                .iterable(outdated)
                .onItem()
                .transformToUni(this::count)
                .merge(ABREAST)
                .onTermination()
                .invoke(() -> {
                    looking = false;
                    nextLook = start + (failed ? AFTER_FAILURE : BETWEEN_LOOKS).toNanos();
                    goOn();
                })
                .subscribe()
                .with(counted -> {});
    }

    /** Never fails, and emits in any case. Places that were left meanwhile are passed over. */
    private Uni<WatchedPosition> count(WatchedPosition position) {
        if (position.isDeserted()) {
            return Uni.createFrom().item(position);
        }
        position.counting();
        return keeper.count(position.from())
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
