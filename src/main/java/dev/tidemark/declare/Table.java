package dev.tidemark.declare;

import dev.tidemark.feed.Column;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A relation as the database's catalogue describes it.
 *
 * @param sqlName with its schema, both quoted where SQL needs it
 * @param columns in the relation's own sequence
 * @param primaryKey its columns in the key's sequence; empty where there is none
 * @param uniqueKeys every set of columns that a valid, non-partial unique index keeps unique
 */
public record Table(
        String schema,
        String name,
        String sqlName,
        Kind kind,
        List<TableColumn> columns,
        List<String> primaryKey,
        Set<Set<String>> uniqueKeys) {

    /** What the relation is, as far as it matters here. */
    public enum Kind {
        TABLE(false, Optional.of("CREATE INDEX CONCURRENTLY")),
        PARTITIONED_TABLE(false, Optional.of("CREATE INDEX")),
        /** A table that others inherit from: neither its key nor its constraints nor its indexes reach their rows. */
        PARENT_TABLE(true, Optional.empty()),
        MATERIALIZED_VIEW(true, Optional.of("CREATE INDEX CONCURRENTLY")),
        /** A view or a foreign table. */
        VIEW(true, Optional.empty());

        private final boolean keyTrusted;
        private final Optional<String> createIndex;

        Kind(boolean keyTrusted, Optional<String> createIndex) {
            this.keyTrusted = keyTrusted;
            this.createIndex = createIndex;
        }

        /** Whether the catalogue knows no key of its rows, so that one is declared, and trusted to be NOT NULL too. */
        public boolean isKeyTrusted() {
            return keyTrusted;
        }

        /** How an index on it is made; nothing if none can be. */
        public Optional<String> createIndex() {
            return createIndex;
        }
    }

    /**
     * @param sqlName quoted where SQL needs it
     * @param deterministic whether its collation tells all different texts apart; a key needs that
     */
    public record TableColumn(Column column, String sqlName, boolean deterministic) {}

    public Optional<TableColumn> find(String column) {
        return columns.stream().filter(c -> c.column().name().equals(column)).findFirst();
    }
}
