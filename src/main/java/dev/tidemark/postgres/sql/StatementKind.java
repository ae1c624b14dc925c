package dev.tidemark.postgres.sql;

/** How a statement is planned, and over which connections it runs. */
public enum StatementKind {
    /** An index serves its list. Planned once, for any values, to use this index. */
    INDEXED,
    /**
     * An index serves its list, which is in one shard of a table of Citus. Planned for its values, because they say which
     * shard.
     */
    SHARD,
    /** No index is known to serve its list, or the list is in several shards. Planned for its values. */
    FREE
}
