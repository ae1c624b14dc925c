package dev.tidemark.feed.read;

/** The failure of a statement that reads or counts items. */
public final class ReadFailure extends RuntimeException {

    /** The reason, as reported to the client. */
    public enum Reason {
        /** No host of the database is available or up to date enough, or the database rejected the statement. */
        UNAVAILABLE,
        /** The statement would have to wait too long for a database connection. */
        OVERLOADED,
        /** The statement exceeded its timeout. */
        TIMEOUT,
        /** A value in the request contains a character that the encoding of the database cannot represent. */
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

    /**
     * Creates the failure of a statement that the database rejected, for example because the table has changed since
     * the feed was resolved.
     */
    public static ReadFailure ofRejectedStatement(Throwable cause) {
        return new ReadFailure(Reason.UNAVAILABLE, cause, true);
    }

    public Reason reason() {
        return reason;
    }

    /**
     * Returns whether the database rejected the statement. If so, the caller should check whether the feed still
     * matches its table.
     */
    public boolean isStatementRejected() {
        return isStatementRejected;
    }
}
