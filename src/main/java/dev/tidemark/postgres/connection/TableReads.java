package dev.tidemark.postgres.connection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements over one host that read the same tables: what is known about locks, and what they may use. */
final class TableReads {

    private final List<String> tables;
    private final TableLock lock;
    private final PinnedShare pinned = new PinnedShare();

    private TableReads(List<String> tables, List<TableLock.Table> locks) {
        this.tables = tables;
        this.lock = new TableLock(locks);
    }

    /** Whether the statements read no table. */
    boolean isEmpty() {
        return tables.isEmpty();
    }

    TableLock lock() {
        return lock;
    }

    PinnedShare pinned() {
        return pinned;
    }

    /** All statements over one host, by their tables. Thread-safe. */
    static final class ByTables {

        private final Map<List<String>, TableReads> reads = new ConcurrentHashMap<>();
        private final Map<String, TableLock.Table> locks = new ConcurrentHashMap<>();

        TableReads of(List<String> tables) {
            TableReads known = reads.get(tables);
            return known == null ? reads.computeIfAbsent(tables, this::create) : known;
        }

        private TableReads create(List<String> tables) {
            return new TableReads(
                    tables,
                    tables.stream()
                            .map(table -> locks.computeIfAbsent(table, name -> new TableLock.Table()))
                            .toList());
        }

        /** Whether more than one list of tables is read. */
        boolean areSeveral() {
            return reads.size() > (reads.containsKey(List.of()) ? 2 : 1);
        }
    }
}
