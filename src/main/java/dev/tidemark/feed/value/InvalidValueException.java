package dev.tidemark.feed.value;

/**
 * Thrown when a string is not a valid value of a column's type. The message says what is wrong and is safe to show to
 * the client.
 */
public final class InvalidValueException extends RuntimeException {

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
