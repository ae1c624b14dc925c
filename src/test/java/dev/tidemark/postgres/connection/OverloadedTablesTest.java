package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements of two tables over the same connections, while those of one table take 20 ms each. */
@BesideQuarkusTests
class OverloadedTablesTest {

    private static final List<String> BUSY = List.of("public.busy");
    private static final List<String> QUIET = List.of("public.quiet");

    private final TestDatabase database = TestDatabase.over(TestPostgres.newDatabase(), "postgres");
    private final Context eventLoop = database.vertx().getOrCreateContext();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void onlyStatementsOfTheTableWithTooManyAreRejectedIfSeveralAreRead() {
        read(QUIET, "0").join();
        List<CompletableFuture<?>> reads = new ArrayList<>();
        Await.until("a statement is rejected", () -> {
            for (int i = 0; i < 20; i++) {
                reads.add(read(BUSY, "0.02"));
            }
            return rejected(BUSY) > 0;
        });
        read(QUIET, "0").join();
        Await.until("all have ended", () -> reads.stream().allMatch(CompletableFuture::isDone));
        List<ReadFailure.Reason> failures = reads.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .map(read ->
                        ((ReadFailure) read.handle((value, failure) -> failure).join()).reason())
                .toList();
        assertThat(failures).containsOnly(ReadFailure.Reason.OVERLOADED).hasSize((int) rejected(BUSY));
        assertThat(rejected(QUIET)).isZero();
        read(BUSY, "0.02").join();
    }

    private double rejected(List<String> tables) {
        return database
                .metrics()
                .find("tidemark.tables.rejected")
                .tags("tables", tables.get(0), "reason", "waiting")
                .counters()
                .stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private CompletableFuture<?> read(List<String> tables, String seconds) {
        Statement statement =
                new Statement("SELECT pg_catalog.pg_sleep(" + seconds + ")", Statement.Kind.INDEXED, tables);
        CompletableFuture<Object> result = new CompletableFuture<>();
        eventLoop.runOnContext(now -> database.database()
                .read(
                        statement,
                        List.of(),
                        () -> RowReceiver.of(Collectors.counting()),
                        ReadPreference.ofPrimary(Optional.empty()))
                .subscribe()
                .with(result::complete, result::completeExceptionally));
        return result;
    }
}
