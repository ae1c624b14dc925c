package dev.tidemark.client;

/**
 * An item of a {@link LiveState}.
 *
 * @param value the item, as it is now or, if it is no longer at this place, as it was last
 * @param mark whether the item is still at this place
 * @param <T> the type of the items
 */
public record LiveItem<T>(T value, Mark mark) {

    /** Whether an item is still at its place. Only a list with {@link LiveList.Deleted#MARK} has items that are not. */
    public enum Mark {
        /** The item is at this place. */
        PRESENT,
        /** The item has moved above the first item that is shown. It is shown there after {@link LiveList#showNew}. */
        MOVED_UP,
        /** The item was deleted, or no longer matches the filters. */
        DELETED
    }
}
