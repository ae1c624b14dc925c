package dev.tidemark.client;

import java.util.List;
import java.util.Optional;

/**
 * What a {@link LiveList} shows at one moment. Immutable. An item that has not changed is the same object as in the
 * state before.
 *
 * @param items the items to show, in the list's order
 * @param newAbove the number of items above the first one that wait for {@link LiveList#showNew}
 * @param hasMore whether {@link LiveList#loadMore} can read more items. If all items below the list are deleted, this
 *     stays true until {@code loadMore} has found none
 * @param hasPrev whether {@link LiveList#loadPrevious} can read more items
 * @param status how the list follows changes
 * @param error why the list is offline or has failed
 * @param <T> the type of the items
 */
public record LiveState<T>(
        List<LiveItem<T>> items,
        int newAbove,
        boolean hasMore,
        boolean hasPrev,
        Status status,
        Optional<FeedException> error) {

    /** How a list follows changes. */
    public enum Status {
        /** Changes do not arrive, because a {@link KeptList} does not follow them. */
        PAUSED,
        /** The first page or the first event has not arrived yet. */
        CONNECTING,
        /** Changes arrive as they are committed. */
        CONNECTED,
        /** No event stream could be opened, so the list is read again at intervals. */
        POLLING,
        /** The last attempt to connect has failed. There will be another one. */
        OFFLINE,
        /** The list has ended with an error. There will be no other attempt. */
        FAILED
    }

    /**
     * Returns the items without their marks.
     *
     * @return the items to show, in the list's order
     */
    public List<T> values() {
        return items.stream().map(LiveItem::value).toList();
    }
}
