package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.hosts.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Context;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which tables count as overloaded while the statements of one of them take 20 ms each. */
@BesideQuarkusTests
class OverloadedTablesTest {

    private static final List<String> BUSY = List.of("public.busy");
    private static final List<String> QUIET = List.of("public.quiet");
    private static final List<String> UNKNOWN = List.of("public.unknown");

    private final TestDatabase database = TestDatabase.over(TestPostgres.newDatabase(), "postgres");
    private final Context eventLoop = database.vertx().getOrCreateContext();
    private final AtomicInteger inFlight = new AtomicInteger();

    @BeforeEach
    void connect() {
        // The first statement opens the pinned connection.
        Await.until("a statement was answered", () -> {
            read(QUIET, "0");
            return inFlight.get() == 0;
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void onlyTheTableWithTooManyStatementsIsOverloadedIfSeveralAreRead() {
        assertThat(onEventLoop(() -> database.database().mayBeOverloaded())).isFalse();
        Await.until("the table is overloaded, and a rejection is counted", () -> {
            for (int i = 0; i < 20; i++) {
                read(BUSY, "0.02");
            }
            return onEventLoop(() -> {
                double before = rejectedOfBusy();
                return database.database().rejects(BUSY) && rejectedOfBusy() == before + 1;
            });
        });
        assertThat(onEventLoop(() -> database.database().mayBeOverloaded())).isTrue();
        assertThat(onEventLoop(() -> database.database().rejects(QUIET))).isFalse();
        assertThat(onEventLoop(() -> database.database().rejects(UNKNOWN))).isFalse();
        Await.until("all statements have ended", () -> inFlight.get() == 0);
        assertThat(onEventLoop(() -> database.database().mayBeOverloaded())).isFalse();
        assertThat(onEventLoop(() -> database.database().rejects(BUSY))).isFalse();
    }

    private double rejectedOfBusy() {
        return database
                .metrics()
                .find("tidemark.tables.rejected")
                .tags("tables", BUSY.get(0), "reason", "waiting")
                .counters()
                .stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private void read(List<String> tables, String seconds) {
        inFlight.incrementAndGet();
        Statement statement =
                new Statement("SELECT pg_catalog.pg_sleep(" + seconds + ")", Statement.Kind.INDEXED, tables);
        onEventLoop(() -> database.database()
                .read(
                        statement,
                        List.of(),
                        () -> RowReceiver.of(Collectors.counting()),
                        ReadPreference.ofPrimary(Optional.empty()))
                .subscribe()
                .with(read -> inFlight.decrementAndGet(), failure -> inFlight.decrementAndGet()));
    }

    private <T> T onEventLoop(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        eventLoop.runOnContext(now -> result.complete(task.get()));
        return result.orTimeout(20, TimeUnit.SECONDS).join();
    }
}
