package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableReadsTest {

    private final TableReads.ByTables tables = new TableReads.ByTables(new SimpleMeterRegistry(), "pinned");

    @Test
    void theStatementsOfOneFeedWithEmbeddedRowsReadOneTable() {
        tables.of(List.of("messages", "authors"));
        tables.of(List.of("messages"));
        tables.of(List.of());
        assertThat(tables.areSeveral()).isFalse();
    }

    @Test
    void theStatementsOfSeveralFeedsReadSeveralTables() {
        tables.of(List.of("messages", "authors"));
        tables.of(List.of("authors"));
        assertThat(tables.areSeveral()).isTrue();
    }
}
