package dev.tidemark.cursor;

/**
 * Thrown when a configured key is malformed. The message contains the position of the key in the list, but no part of
 * the key.
 */
final class MalformedKeyException extends RuntimeException {

    /** @param index zero-based index of the key */
    MalformedKeyException(int index, String fault) {
        super(CursorConfig.KEYS + ": key " + (index + 1) + ' ' + fault);
    }
}
