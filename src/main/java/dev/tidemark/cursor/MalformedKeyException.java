package dev.tidemark.cursor;

/** A configured key that cannot serve; the message names it by its place in the list and never shows any of it. */
final class MalformedKeyException extends RuntimeException {

    /** @param index of the key, counted from 0 */
    MalformedKeyException(int index, String fault) {
        super(CursorConfig.KEYS + ": key " + (index + 1) + ' ' + fault);
    }
}
