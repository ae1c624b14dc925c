package dev.tidemark.feed.read;

/** A value of a row is larger than a page may be, so it was not kept when the row arrived. */
public final class OversizedValueException extends RuntimeException {

    public OversizedValueException() {
        super("a value is larger than a page may be", null, false, false);
    }
}
