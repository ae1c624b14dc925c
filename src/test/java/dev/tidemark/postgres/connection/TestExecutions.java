package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.RowReceiver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Executions of statements outside a {@link QueryRouter}. */
public final class TestExecutions {

    private TestExecutions() {}

    /** An execution that sends one statement, which reads no table. */
    public static <T> Execution<T> of(String sql, RowReceiver<T> receiver) {
        TableReads noTables = new TableReads.ByTables(new SimpleMeterRegistry(), "pinned").of(List.of());
        return new Execution<>(noTables, sql, Tuple.tuple(), receiver);
    }
}
