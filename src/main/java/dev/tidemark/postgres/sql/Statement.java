package dev.tidemark.postgres.sql;

/**
 * The SQL of a statement, and its kind.
 *
 * @param table the table or view that the statement reads; empty if it reads none
 */
public record Statement(String sql, Kind kind, String table) {

    /** Determines how a statement is planned, and over which connections it runs. */
    public enum Kind {
        /** An index serves the list. The statement is planned once, for any values, to use this index. */
        INDEXED,
        /**
         * An index serves the list, whose rows are in one shard of a Citus table. The statement is planned for its
         * values, because they determine the shard.
         */
        ONE_SHARD,
        /**
         * An index serves the list in each of several shards. The statement is planned for its values, and runs over
         * the same connections as {@link #FREE}.
         */
        SEVERAL_SHARDS,
        /**
         * No index is known to serve the list, the statement needs no order, or it reads a page by offset. The
         * statement is planned for its values, and the planner is free to sort.
         */
        FREE
    }

    /** Whether an index provides the order of the rows. */
    public boolean hasServingIndex() {
        return kind != Kind.FREE;
    }
}
