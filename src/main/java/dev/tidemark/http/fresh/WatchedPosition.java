package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.paging.Continuation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A position in a list, the number of items beyond it, and the listeners that receive this number. Not thread-safe.
 */
final class WatchedPosition {

    private final ListState list;
    private Continuation from;
    private final Set<FreshListener> listeners = new LinkedHashSet<>();
    private @Nullable FreshCount latestCount;

    /** When the first change that the latest count may lack was noticed; 0 if none was. */
    private long noticedNanos;

    WatchedPosition(Remainder remainder) {
        this.list = remainder.list();
        this.from = remainder.from();
    }

    /** The items beyond the position, as no listener may see them older. */
    Remainder remainder() {
        return new Remainder(list, from);
    }

    /**
     * Adds a listener, and calls it at once if the number is known.
     *
     * @param start the position, with the listener's floor; later counts show no older database state than this floor
     */
    void add(Continuation start, FreshListener listener) {
        from = from.withLaterFloor(start.floor());
        listeners.add(listener);
        if (latestCount != null) {
            listener.onCount(latestCount);
        }
    }

    void remove(FreshListener listener) {
        listeners.remove(listener);
    }

    boolean hasNoListeners() {
        return listeners.isEmpty();
    }

    boolean isCounted() {
        return latestCount != null;
    }

    /** @param nanos when a change was noticed that the latest count may lack */
    void markOutdated(long nanos) {
        noticedNanos = noticedNanos == 0 ? nanos : noticedNanos;
    }

    /**
     * Returns when the change was noticed that the next count reports; empty if nobody waits for one, because the
     * number is not known yet, or there were more items than are counted.
     */
    OptionalLong changeToReport() {
        return latestCount == null || latestCount.isCapped() || noticedNanos == 0
                ? OptionalLong.empty()
                : OptionalLong.of(noticedNanos);
    }

    void onCounted(FreshCount count) {
        noticedNanos = 0;
        if (count != latestCount) {
            latestCount = count;
            listeners.forEach(listener -> listener.onCount(count));
        }
    }

    /**
     * Records that a count has failed. If the number is known, it is kept. Otherwise, all listeners are removed, and
     * the failure is passed to them.
     */
    void onCountFailed(Throwable failure) {
        if (latestCount == null) {
            List<FreshListener> failedListeners = new ArrayList<>(listeners);
            listeners.clear();
            failedListeners.forEach(listener -> listener.onFailure(failure));
        }
    }
}
