package dev.tidemark.cursor;

/**
 * Thrown when a configured key is malformed or a duplicate. The message contains the position of the key in the list,
 * but no part of the key.
 */
final class MalformedKeyException extends RuntimeException {

    /** @param index zero-based index of the key */
    MalformedKeyException(int index, String fault) {
        super(CursorConfig.KEYS_SETTING + ": key " + (index + 1) + ' ' + fault);
    }
}
