package dev.tidemark.feed.value;

/** A client's text is no value of a column's type. The message says what is, and may be shown to the client. */
public final class InvalidValueException extends RuntimeException {

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
