package dev.tidemark.feed.value;

/**
 * A text is not a value of a column's type. The message explains the expected format and may be shown to the client.
 */
public final class InvalidValueException extends RuntimeException {

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
