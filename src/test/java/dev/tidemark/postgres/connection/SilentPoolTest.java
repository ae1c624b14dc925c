package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.local.FaultyProxy;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.rows.RowReceiver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A pool whose connection gets no more responses. */
@BesideQuarkusTests
class SilentPoolTest {

    private static final Duration LONGEST_SILENCE = Duration.ofMillis(700);
    private static final TableReads.ByTables TABLES = new TableReads.ByTables(new SimpleMeterRegistry(), "pinned");

    @Test
    void aSilentConnectionIsRemovedFromThePoolWithItsStatement() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (FaultyProxy proxy = new FaultyProxy(TestPostgres.port())) {
            String database = URI.create(TestPostgres.newDatabase()).getPath();
            Pool pool = PgBuilder.pool()
                    .with(new PoolOptions().setMaxSize(1))
                    .connectingTo(PgConnectOptions.fromUri("postgresql://localhost:" + proxy.port() + database)
                            .setUser("postgres"))
                    .using(vertx)
                    .build();
            PoolStatementRunner statements = new PoolStatementRunner(
                    pool,
                    "test",
                    1,
                    1_000,
                    Duration.ofMillis(100),
                    LONGEST_SILENCE,
                    true,
                    new OldPlans(Duration.ofHours(1)),
                    new SimpleMeterRegistry());
            Await.until("a connection is open", () -> failureOfStatement(statements) == null);
            proxy.silence();
            assertThat(failureOfStatement(statements))
                    .isInstanceOfSatisfying(ReadFailure.class, failure -> assertThat(failure.reason())
                            .isEqualTo(ReadFailure.Reason.UNAVAILABLE));
            Await.until("the pool is empty", () -> pool.size() == 0 && statements.inFlightCount() == 0);
            Await.until("a new connection is open", () -> failureOfStatement(statements) == null);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    /** Executes a statement. Returns its failure, or null if it did not fail. */
    private static Throwable failureOfStatement(PoolStatementRunner statements) throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        statements.run(
                new Execution<>(
                        TABLES.of(List.of("table")), "SELECT 1", Tuple.tuple(), RowReceiver.of(Collectors.counting())),
                answer -> failure.complete(answer.cause()));
        return failure.get(20, TimeUnit.SECONDS);
    }
}
