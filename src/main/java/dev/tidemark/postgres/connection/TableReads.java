package dev.tidemark.postgres.connection;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** The SQL names of the tables, separated by commas. */
    String names() {
        return String.join(", ", tables);
    }

    /** The table of the feed's relation, which also the feed's statements without embedded rows read. */
    String listTable() {
        return tables.get(0);
    }

    /** Whether the statements read the lists of the same table. */
    boolean isOfSameList(TableReads other) {
        return other == this || !isEmpty() && !other.isEmpty() && listTable().equals(other.listTable());
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
        private final Set<String> listTables = ConcurrentHashMap.newKeySet();
        private final MeterRegistry metrics;
        private final String pinnedName;

        /** @param pinnedName the name of the host's pinned connections in metrics */
        ByTables(MeterRegistry metrics, String pinnedName) {
            this.metrics = metrics;
            this.pinnedName = pinnedName;
        }

        TableReads of(List<String> tables) {
            TableReads known = reads.get(tables);
            return known == null ? reads.computeIfAbsent(tables, this::create) : known;
        }

        private TableReads create(List<String> tables) {
            TableReads created = new TableReads(
                    tables,
                    tables.stream()
                            .map(table -> locks.computeIfAbsent(table, name -> new TableLock.Table()))
                            .toList());
            if (!created.isEmpty()) {
                listTables.add(created.listTable());
                String names = created.names();
                TableMeters.registerInFlight(metrics, names, pinnedName, created.pinned()::inFlightCount);
                TableMeters.registerLocked(metrics, names, pinnedName, created.lock());
            }
            return created;
        }

        /** Whether the lists of more than one table are read. */
        boolean areSeveral() {
            return listTables.size() > 1;
        }
    }
}
