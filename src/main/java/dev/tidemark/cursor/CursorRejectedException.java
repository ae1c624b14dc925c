package dev.tidemark.cursor;

/**
 * Thrown when a token is rejected. It has no stack trace, because clients can cause any number of these exceptions.
 */
public final class CursorRejectedException extends RuntimeException {

    public enum Reason {
        /** The token is malformed or forged, or was sealed with a key that is no longer configured. */
        INVALID,
        /**
         * The token is genuine, but belongs to another list state, or contains an enum label that no longer exists.
         */
        MISMATCH,
        /**
         * The token is genuine and belongs to this list state, but a lifetime is configured, and the token is older or
         * has no time of issue.
         */
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
