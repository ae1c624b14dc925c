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
    private final boolean isStatementRejected;

    public ReadFailure(Reason reason, Throwable cause) {
        this(reason, cause, false);
    }

    private ReadFailure(Reason reason, Throwable cause, boolean isStatementRejected) {
        super(reason.name(), cause);
        this.reason = reason;
        this.isStatementRejected = isStatementRejected;
    }

    /** The database refused the statement itself, whose table may have been changed since the feed was resolved. */
    public static ReadFailure statementRejected(Throwable cause) {
        return new ReadFailure(Reason.UNAVAILABLE, cause, true);
    }

    public Reason reason() {
        return reason;
    }

    /** Whether it is to be found out if the feed still fits its table. */
    public boolean isStatementRejected() {
        return isStatementRejected;
    }
}
