package dev.tidemark.postgres.rows;

/** Receives rows in PostgreSQL's wire format, before the driver decodes them. */
@FunctionalInterface
public interface WireRowReceiver {

    /**
     * @param row valid only until the next call, unless it is kept
     * @return whether the row is kept; it then stays unchanged until another row is kept or the answer ends
     */
    boolean receive(StatementRow row);
}
