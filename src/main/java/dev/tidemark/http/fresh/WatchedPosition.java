package dev.tidemark.http.fresh;

import dev.tidemark.paging.Continuation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One place in a list, the number of items beyond it, and all who want to know that number. Not thread-safe. */
final class WatchedPosition {

    private final Continuation from;
    private final Set<FreshListener> listeners = new LinkedHashSet<>();
    private FreshCount number;
    private boolean outdated = true;

    WatchedPosition(Continuation from) {
        this.from = from;
    }

    Continuation from() {
        return from;
    }

    /** Who comes to a number that is known is told it at once. */
    void add(FreshListener listener) {
        listeners.add(listener);
        if (number != null) {
            listener.number(number);
        }
    }

    void remove(FreshListener listener) {
        listeners.remove(listener);
    }

    boolean isDeserted() {
        return listeners.isEmpty();
    }

    /** Whether the number may have changed since counting it began. */
    boolean isOutdated() {
        return outdated;
    }

    void outdate() {
        outdated = true;
    }

    /** From now on, what changes is not in the number. */
    void counting() {
        outdated = false;
    }

    void counted(FreshCount count) {
        if (count != number) {
            number = count;
            listeners.forEach(listener -> listener.number(count));
        }
    }

    /** Who has a number keeps it. */
    void failed(Throwable failure) {
        outdated = true;
        if (number == null) {
            List<FreshListener> told = new ArrayList<>(listeners);
            listeners.clear();
            told.forEach(listener -> listener.failed(failure));
        }
    }
}
