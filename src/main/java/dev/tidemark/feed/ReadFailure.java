package dev.tidemark.feed;

/** A page could not be read, through no fault of the request. */
public final class ReadFailure extends RuntimeException {

    /** What a client can make of it. */
    public enum Reason {
        /** The database is away, or not as the feed needs it. */
        UNAVAILABLE,
        /** Too much waits for a connection. */
        OVERLOADED,
        /** The statement ran into its time limit. */
        TIMEOUT,
        /** A value of a filter has a character that the database's encoding does not. */
        UNREPRESENTABLE
    }

    private final Reason reason;

    public ReadFailure(Reason reason, Throwable cause) {
        super(reason.name(), cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
