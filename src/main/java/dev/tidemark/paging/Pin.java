package dev.tidemark.paging;

import java.util.Optional;

/**
 * What keeps an item that moves to the present from being shown twice: the greatest value that the leading key of a live
 * order had when the scroll began. What is greater has moved since, or is new.
 *
 * @param greatest in the form of a {@link Position}'s values; empty where the column was all NULL, so that every value is
 *     a move
 */
public record Pin(Optional<String> greatest) {

    /** What stands in a row is not for logs. */
    @Override
    public String toString() {
        return greatest.isPresent() ? "Pin[a value]" : "Pin[all NULL]";
    }
}
