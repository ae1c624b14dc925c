package dev.tidemark.cursor;

/** A configured key that cannot serve; the message names it by its place in the list and never shows any of it. */
final class MalformedKey extends RuntimeException {

    /** @param index of the key, counted from 0 */
    MalformedKey(int index, String fault) {
        super(CursorConfig.KEYS + ": key " + (index + 1) + ' ' + fault);
    }
}
