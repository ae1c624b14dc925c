package dev.tidemark.declare;

import dev.tidemark.feed.Column;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A relation as the database's catalogue describes it.
 *
 * @param columns in the relation's own sequence
 * @param primaryKey its columns in the key's sequence; empty where there is none
 * @param uniqueKeys every set of columns that a valid, non-partial unique index keeps unique
 */
public record Table(
        String schema,
        String name,
        Kind kind,
        List<TableColumn> columns,
        List<String> primaryKey,
        Set<Set<String>> uniqueKeys) {

    /** What the relation is, as far as it matters here. */
    public enum Kind {
        TABLE,
        /** Takes no {@code CREATE INDEX CONCURRENTLY}. */
        PARTITIONED_TABLE,
        /** A view, materialized or not, or a foreign table: it has no key of its own, and a declared one is trusted. */
        VIEW
    }

    /**
     * @param deterministic whether its collation tells all different texts apart; a key needs that
     */
    public record TableColumn(Column column, boolean deterministic) {}

    public Optional<TableColumn> find(String column) {
        return columns.stream().filter(c -> c.column().name().equals(column)).findFirst();
    }
}
