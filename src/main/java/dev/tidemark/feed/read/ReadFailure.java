package dev.tidemark.feed.read;

/** The failure of a statement that reads or counts items. */
public final class ReadFailure extends RuntimeException {

    /** The reason, as reported to the client. */
    public enum Reason {
        /** No host of the database is available or up to date enough. */
        UNAVAILABLE,
        /**
         * The database rejected the statement, because the table has changed since the feed was resolved, a privilege
         * is missing, or a condition, view, or function of the table's owner failed. The caller should check whether
         * the feed still matches its table.
         */
        FEED_UNAVAILABLE,
        /** The statement would have to wait too long for a database connection. */
        OVERLOADED,
        /** The statement would have to wait too long for a lock on a table. */
        LOCKED,
        /** The statement exceeded its timeout. */
        TIMEOUT,
        /** A value in the request contains a character that the encoding of the database cannot represent. */
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
