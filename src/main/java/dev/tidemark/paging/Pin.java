package dev.tidemark.paging;

import java.util.Optional;

/**
 * Prevents a scroll of a live order from returning an item again after an edit has moved the item. The pin is the
 * greatest value of the leading key when the scroll began; items with a greater value are new or have moved since.
 *
 * @param greatest the value in the text form of {@link Position}; empty if the column contained only NULLs, so that
 *     every item with a value is new or has moved
 */
public record Pin(Optional<String> greatest) {

    /** Omits the value, because row data must not appear in logs. */
    @Override
    public String toString() {
        return greatest.isPresent() ? "Pin[a value]" : "Pin[all NULL]";
    }
}
