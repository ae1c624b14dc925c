package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

@BesideQuarkusTests
class TableLockTest {

    private final TableReads.ByTables tables = new TableReads.ByTables(new SimpleMeterRegistry(), "pinned");
    private final TableLock messages = tables.of(List.of("messages")).lock();
    private final TableLock messagesAndUsers =
            tables.of(List.of("messages", "users")).lock();
    private final TableLock others = tables.of(List.of("others")).lock();

    @Test
    void aLockOfOneOfSeveralTablesRejectsOnlyStatementsThatReadAllOfThem() {
        messagesAndUsers.lock();
        assertThat(messagesAndUsers.tryPass()).isFalse();
        assertThat(messages.tryPass()).isTrue();
        assertThat(others.tryPass()).isTrue();
        assertThat(messages.isSuspected()).isTrue();
        assertThat(others.isSuspected()).isFalse();
    }

    @Test
    void oneStatementFindsOutWhetherTheLockIsStillHeld() {
        messages.lock();
        Await.until("a statement passes", messages::tryPass);
        assertThat(messages.tryPass()).isFalse();
        messages.recordAnswer();
        assertThat(messages.tryPass()).isTrue();
    }

    @Test
    void tablesAreNoLongerSuspectedWhenAStatementIsAnsweredAWhileLater() {
        messagesAndUsers.lock();
        messages.recordAnswer();
        assertThat(messages.isSuspected()).isTrue();
        Await.until("the tables have recovered", () -> {
            messagesAndUsers.recordAnswer();
            return !messages.isSuspected() && !messagesAndUsers.isSuspected();
        });
        assertThat(messagesAndUsers.isLocked()).isFalse();
    }
}
