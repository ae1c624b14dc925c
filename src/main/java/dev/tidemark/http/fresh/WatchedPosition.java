package dev.tidemark.http.fresh;

import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.http.fresh.CountQueue.Urgency;
import dev.tidemark.paging.Continuation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A position in a list, the number of items beyond it, and the listeners that receive this number. Not thread-safe. */
final class WatchedPosition {

    private final WatchedList list;
    private final Optional<Object> group;
    private Continuation from;
    private final Set<FreshListener> listeners = new LinkedHashSet<>();
    private @Nullable FreshCount latestCount;
    private boolean outdated = true;

    /** When Tidemark learned of the earliest change that no count includes. */
    private long outdatedNanos;

    /** When Tidemark learned of the earliest change that only the latest count includes. */
    private long countedNanos;

    private boolean pending;
    private boolean alone;

    /** @param group of the positions that are counted together; empty if this one is counted alone */
    WatchedPosition(WatchedList list, Continuation from, Optional<Object> group) {
        this.list = list;
        this.from = from;
        this.group = group;
    }

    WatchedList list() {
        return list;
    }

    Optional<Object> group() {
        return group;
    }

    Remainder remainder() {
        return new Remainder(list.state(), from);
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

    Urgency urgency() {
        if (latestCount == null) {
            return Urgency.FIRST;
        }
        return latestCount.isCapped() ? Urgency.CAPPED : Urgency.CHANGED;
    }

    /**
     * Whether a count is needed, because no count has begun, the last one failed, or the rows may have changed since it
     * began; and it is not waiting in the queue.
     */
    boolean isDue() {
        return outdated && !pending;
    }

    /** @param noticeNanos when Tidemark learned of a change */
    void markOutdated(long noticeNanos) {
        if (!outdated) {
            outdatedNanos = noticeNanos;
        }
        outdated = true;
    }

    /** Returns the time since Tidemark learned of the earliest change that only the latest count includes. */
    long nanosSinceNotice() {
        return System.nanoTime() - countedNanos;
    }

    /** Records that the position waits in the queue, until {@link #onCounted} or {@link #onCountFailed}. */
    void onQueued() {
        pending = true;
    }

    /** Records that a count has begun. Changes after this moment may be missing from the count. */
    void onCountStarted() {
        outdated = false;
        countedNanos = outdatedNanos;
    }

    void onCounted(FreshCount count) {
        pending = false;
        alone = false;
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
        pending = false;
        outdated = true;
        outdatedNanos = countedNanos;
        if (latestCount == null) {
            List<FreshListener> failedListeners = new ArrayList<>(listeners);
            listeners.clear();
            failedListeners.forEach(listener -> listener.onFailure(failure));
        }
    }

    /** Whether the position is counted alone until this succeeds, because a count together with others has failed. */
    boolean isAlone() {
        return alone;
    }

    void countAlone() {
        alone = true;
    }
}
