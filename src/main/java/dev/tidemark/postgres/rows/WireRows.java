package dev.tidemark.postgres.rows;

/** Receives the rows of one statement in PostgreSQL's wire format. */
@FunctionalInterface
public interface WireRows {

    /**
     * @param row valid only until the next call, unless it is kept
     * @return whether the row is kept; it then stays unchanged until the next row that is kept, or the end of the
     *     result
     */
    boolean take(StatementRow row);
}
