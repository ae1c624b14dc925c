package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.rows.RowReceiver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pool over a real PostgreSQL, one of whose tables is locked at times. */
@BesideQuarkusTests
class PoolStatementRunnerTest {

    private static final Duration LONGEST_WAIT = Duration.ofMillis(300);

    private final PgConnectOptions options = PgConnectOptions.fromUri(TestPostgres.newDatabase())
            .setUser("postgres")
            .addProperty("lock_timeout", Long.toString(LONGEST_WAIT.toMillis()))
            .addProperty("statement_timeout", Long.toString(LONGEST_WAIT.toMillis() * 3));

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final TableReads.ByTables tables = new TableReads.ByTables(metrics, "pinned");
    private final TableReads locked = tables.of(List.of("locked"));
    private final PgConnection owner = join(PgConnection.connect(vertx, options));

    private final Pool pool = PgBuilder.pool()
            .with(new PoolOptions().setMaxSize(4))
            .connectingTo(options)
            .using(vertx)
            .build();

    private final PoolStatementRunner statements = new PoolStatementRunner(
            pool,
            "test",
            4,
            1_000,
            LONGEST_WAIT,
            Duration.ofSeconds(20),
            true,
            new OldPlans(Duration.ofHours(1)),
            metrics);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void statementsOfALockedTableAreRejectedUntilOneFindsOutThatTheLockIsGone() {
        join(owner.query("CREATE TABLE locked ()").execute());
        join(owner.query("BEGIN; LOCK TABLE locked").execute());
        assertThat(failure(locked)).isSameAs(ReadFailures.LOCKED);
        assertThat(failure(locked)).isSameAs(ReadFailures.LOCKED);
        assertThat(metrics.get("tidemark.tables.locked").gauge().value()).isEqualTo(1);
        assertThat(metrics.get("tidemark.tables.rejected")
                        .tag("reason", "locked")
                        .counter()
                        .count())
                .isEqualTo(2);
        join(owner.query("ROLLBACK").execute());
        Await.until("a statement is answered", () -> failure(locked) == null);
        assertThat(failure(locked)).isNull();
        assertThat(metrics.get("tidemark.tables.locked").gauge().value()).isZero();
        assertThat(statements.inFlightCount()).isZero();
    }

    @Test
    void aStatementThatReachesItsTimeoutFindsOutThatTheLockIsGone() {
        join(owner.query("CREATE TABLE locked AS SELECT").execute());
        join(owner.query("BEGIN; LOCK TABLE locked").execute());
        assertThat(failure(locked)).isSameAs(ReadFailures.LOCKED);
        join(owner.query("ROLLBACK").execute());
        Await.until(
                "a slow statement is sent",
                () -> failure(locked, "SELECT pg_sleep(60) FROM locked") != ReadFailures.LOCKED);
        assertThat(failure(locked)).isNull();
    }

    @Test
    void aTableReturnsToPinnedConnectionsAfterFastAnswers() {
        join(owner.query("CREATE TABLE locked ()").execute());
        locked.pinned().recordTime(Duration.ofSeconds(1).toNanos());
        assertThat(locked.pinned().hasRoom(1)).isFalse();
        Await.until(
                "there is room",
                () -> failure(locked) == null && locked.pinned().hasRoom(1));
    }

    /** Executes a statement. Returns its failure, or null if it did not fail. */
    private Throwable failure(TableReads reads) {
        return failure(reads, "SELECT FROM locked");
    }

    private Throwable failure(TableReads reads, String sql) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        statements.run(
                new Execution<>(reads, sql, Tuple.tuple(), RowReceiver.of(Collectors.counting())),
                answer -> failure.complete(answer.cause()));
        return failure.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
