package dev.tidemark.http.fresh;

import dev.tidemark.paging.Continuation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A position in a list, the number of items beyond it, and the listeners that receive this number. Not thread-safe. */
final class WatchedPosition {

    private Continuation from;
    private final Set<FreshListener> listeners = new LinkedHashSet<>();
    private @Nullable FreshCount latestCount;
    private boolean outdated = true;

    WatchedPosition(Continuation from) {
        this.from = from;
    }

    Continuation from() {
        return from;
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

    /**
     * Whether a count is needed, because no count has begun, the last one failed, or the rows may have changed since it
     * began.
     */
    boolean isOutdated() {
        return outdated;
    }

    void markOutdated() {
        outdated = true;
    }

    /** Records that a count has begun. Changes after this moment may be missing from the count. */
    void onCountStarted() {
        outdated = false;
    }

    void onCounted(FreshCount count) {
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
        outdated = true;
        if (latestCount == null) {
            List<FreshListener> failedListeners = new ArrayList<>(listeners);
            listeners.clear();
            failedListeners.forEach(listener -> listener.onFailure(failure));
        }
    }
}
