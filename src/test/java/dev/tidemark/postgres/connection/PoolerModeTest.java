package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.Await;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.local.PgBouncer;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.Walk;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PgBouncer stands between Tidemark and PostgreSQL. */
@UsesTestDatabase
class PoolerModeTest {

    private static final String ROLE = "pooler_reader";

    private String url;

    @BeforeEach
    void makeTable() throws SQLException {
        url = TestPostgres.newDatabase();
        execute("""
                DO $$ BEGIN CREATE ROLE pooler_reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
                ALTER ROLE pooler_reader SET TimeZone = 'Asia/Kolkata';
                ALTER ROLE pooler_reader SET IntervalStyle = iso_8601;
                ALTER ROLE pooler_reader SET default_transaction_read_only = off;
                ALTER ROLE pooler_reader SET standard_conforming_strings = off;
                ALTER ROLE pooler_reader SET statement_timeout = 1000;
                CREATE TABLE spans (id bigint PRIMARY KEY, span interval NOT NULL, at timestamptz NOT NULL);
                INSERT INTO spans SELECT i, i * interval '1 hour', '2026-01-01Z' FROM generate_series(1, 50) i;
                GRANT SELECT ON spans TO pooler_reader;
                """);
    }

    private void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + url, "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    /** The guard of the session stands in the statement that is explained. */
    @Test
    void plansAreReadOverAPooler() throws Exception {
        execute("""
                CREATE EXTENSION IF NOT EXISTS pg_trgm;
                CREATE TABLE notes (id bigint PRIMARY KEY, note text COLLATE "C" NOT NULL);
                INSERT INTO notes SELECT i, 'note ' || i FROM generate_series(1, 5000) i;
                CREATE INDEX ON notes USING gin (note gin_trgm_ops);
                ANALYZE notes;
                GRANT SELECT ON notes TO pooler_reader;
                """);
        try (PgBouncer pooler = PgBouncer.start(url, ROLE, "pool_mode = session")) {
            TestDatabase database = TestDatabase.over(pooler.url(), ROLE);
            try {
                Feed feed = database.feed(
                        "table", "notes", "orders.o", "id desc", "search.columns", "note", "search.scan", "1000");
                Condition search = new Condition.Search(feed.policy().search().columns(), List.of("note 77"));
                Walk walk = new Walk(database.reader(), feed, 200, search);
                assertThat(walk.forward()).hasSize(11);
                assertThat(database.metrics()
                                .get("tidemark.statements")
                                .tag("connections", "text")
                                .timer()
                                .count())
                        .as("two pages, each after an EXPLAIN")
                        .isEqualTo(4);
                assertThat(database.counter()
                                .estimate(new ListState(feed, feed.orders().byDefault(), List.of()))
                                .await()
                                .atMost(Duration.ofSeconds(9)))
                        .isEqualTo(5000);
            } finally {
                database.close();
            }
        }
    }

    /** PgBouncer rejects unknown startup parameters, or drops those that it is told to ignore. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ignore_startup_parameters = extra_float_digits,search_path,enable_sort,jit,statement_timeout,IntervalStyle"
            })
    void aSessionPoolerKeepsTheSettings(String ignored) throws IOException {
        try (PgBouncer pooler = PgBouncer.start(url, ROLE, "pool_mode = session", ignored)) {
            TestDatabase database = TestDatabase.over(pooler.url(), ROLE);
            try {
                Row row = join(database.pool()
                                .query("SELECT id, span::text, at::text, current_setting('enable_sort'),"
                                        + " current_setting('transaction_read_only') FROM spans WHERE id = 30")
                                .execute())
                        .iterator()
                        .next();
                assertThat(row.getString(1)).isEqualTo("30:00:00");
                assertThat(row.getString(2)).isEqualTo("2026-01-01 00:00:00+00");
                assertThat(row.getString(4)).isEqualTo("on");
                assertThat(join(database.database()
                                        .indexedPool()
                                        .query("SHOW enable_sort")
                                        .execute())
                                .iterator()
                                .next()
                                .getString(0))
                        .isEqualTo("off");
                Feed feed = database.feed("table", "spans", "orders.o", "id desc");
                assertThat(new Walk(database.reader(), feed, 7).forward())
                        .hasSize(50)
                        .startsWith("50", "49");
            } finally {
                database.close();
            }
        }
    }

    /** With one server connection, all sessions have the same server process; with several, they take turns. */
    @ParameterizedTest
    @ValueSource(strings = {"default_pool_size = 1", "default_pool_size = 20", "server_round_robin = 1"})
    void aTransactionPoolerIsRejectedBeforeAnySettingIsMade(String setting) throws Exception {
        try (PgBouncer pooler = PgBouncer.start(url, ROLE, "pool_mode = transaction", setting)) {
            TestDatabase database = TestDatabase.over(pooler.url(), ROLE);
            try (var other = DriverManager.getConnection(
                    "jdbc:" + pooler.url() + "?prepareThreshold=0&preferQueryMode=simple", ROLE, "")) {
                assertThatThrownBy(() -> join(database.database().attemptSession()))
                        .hasRootCauseInstanceOf(SharedSessionException.class)
                        .hasMessageContaining("pool_mode = session");
                assertThatThrownBy(() -> join(database.pool().query("SELECT 1").execute()))
                        .isNotNull();
                try (var row = other.createStatement().executeQuery("SHOW default_transaction_read_only")) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getString(1)).isEqualTo("off");
                }
            } finally {
                database.close();
            }
        }
    }

    @Test
    void aPoolerInStatementModeIsRejected() throws IOException {
        try (PgBouncer pooler = PgBouncer.start(url, ROLE, "pool_mode = statement")) {
            TestDatabase database = TestDatabase.over(pooler.url(), ROLE);
            try {
                assertThatThrownBy(() -> join(database.database().attemptSession()))
                        .hasRootCauseInstanceOf(SharedSessionException.class);
            } finally {
                database.close();
            }
        }
    }

    /** Each page is that of its feed, or there is none. */
    @Test
    void noPageComesFromAnotherSessionIfThePoolerIsSwitchedToTransactionMode() throws Exception {
        execute("""
                CREATE TABLE others AS SELECT id + 1000 AS id, span, at FROM spans;
                ALTER TABLE others ADD PRIMARY KEY (id);
                GRANT SELECT ON others TO pooler_reader;
                """);
        try (PgBouncer pooler = PgBouncer.start(url, ROLE, "pool_mode = session", "default_pool_size = 50")) {
            TestDatabase database = TestDatabase.over(pooler.url(), ROLE);
            try {
                Feed spans = database.feed("table", "spans", "orders.o", "id");
                Feed others = database.feed("table", "others", "orders.o", "id");
                assertThat(walks(database, spans, others)).isPositive();
                pooler.reload("pool_mode = transaction", "default_pool_size = 50");
                Await.until("no session is left", () -> walks(database, spans, others) == 0);
            } finally {
                database.close();
            }
        }
    }

    /** Walks through both feeds over several connections at a time, and returns how many walks succeed. */
    private static long walks(TestDatabase database, Feed spans, Feed others) {
        return IntStream.range(0, 16)
                .parallel()
                .filter(i -> {
                    Feed feed = i % 2 == 0 ? spans : others;
                    try {
                        assertThat(new Walk(database.reader(), feed, 20).forward())
                                .isEqualTo(LongStream.rangeClosed(1, 50)
                                        .mapToObj(id -> Long.toString(feed == spans ? id : id + 1000))
                                        .toList());
                        return true;
                    } catch (ReadFailure failure) {
                        assertThat(failure.reason()).isEqualTo(ReadFailure.Reason.UNAVAILABLE);
                        return false;
                    }
                })
                .count();
    }
}
