package dev.tidemark.cursor;

/** A token that does not open here; it carries no stack trace, for clients can cause as many as they like. */
public final class CursorRejectedException extends RuntimeException {

    public enum Reason {
        /** Altered, invented, cut, misspelt, or sealed with a key that is no longer there. */
        INVALID,
        /** Genuine, and of another list state. */
        MISMATCH,
        /** Genuine, of this list state, and older than the configured lifetime. */
        EXPIRED
    }

    private final Reason reason;

    public CursorRejectedException(Reason reason) {
        super(reason.name(), null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
