package dev.tidemark.cursor;

/** A configured key is malformed. The message contains its position in the list but no part of the key. */
final class MalformedKeyException extends RuntimeException {

    /** @param index zero-based index of the key */
    MalformedKeyException(int index, String fault) {
        super(CursorConfig.KEYS + ": key " + (index + 1) + ' ' + fault);
    }
}
