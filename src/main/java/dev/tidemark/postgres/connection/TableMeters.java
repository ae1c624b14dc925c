package dev.tidemark.postgres.connection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** The metrics of statements that read the same tables over one kind of connection. */
final class TableMeters {

    private final Counter locked;
    private final Counter waiting;

    /**
     * @param tables the SQL names of the tables, separated by commas
     * @param connections as in {@link StatementMeters}
     */
    TableMeters(MeterRegistry metrics, String tables, String connections, TableLoad load) {
        registerInFlight(metrics, tables, connections, load::inFlightCount);
        locked = rejected(metrics, tables, connections, "locked");
        waiting = rejected(metrics, tables, connections, "waiting");
    }

    static void registerInFlight(MeterRegistry metrics, String tables, String connections, Supplier<Number> inFlight) {
        Gauge.builder("tidemark.tables.in.flight", inFlight)
                .description("Statements of the same tables that wait for a connection or for an answer")
                .tags("tables", tables, "connections", connections)
                .register(metrics);
    }

    /** @param connections the pinned connections, whose name identifies the host */
    static void registerLocked(MeterRegistry metrics, String tables, String connections, TableLock lock) {
        Gauge.builder("tidemark.tables.locked", lock, state -> state.isRejecting() ? 1 : 0)
                .description("Whether statements are rejected because one of their tables is locked")
                .tags("tables", tables, "connections", connections)
                .register(metrics);
    }

    private static Counter rejected(MeterRegistry metrics, String tables, String connections, String reason) {
        return Counter.builder("tidemark.tables.rejected")
                .description("Statements that were rejected, by their tables")
                .tags("tables", tables, "connections", connections, "reason", reason)
                .register(metrics);
    }

    void recordRejected(boolean isLocked) {
        (isLocked ? locked : waiting).increment();
    }
}
