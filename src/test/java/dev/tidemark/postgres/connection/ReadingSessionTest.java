package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.Walk;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions behave as configured, regardless of settings of the role or the database. */
@UsesTestDatabase
class ReadingSessionTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private TestDatabase readerDatabase;

    @BeforeEach
    void makeTables() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS session_reader CASCADE;
                DROP TABLE IF EXISTS visits, plain, people CASCADE;
                DROP FUNCTION IF EXISTS visit;
                DROP ROLE IF EXISTS session_reader;
                CREATE ROLE session_reader LOGIN SUPERUSER;
                CREATE TABLE visits (id bigint);
                CREATE TABLE plain (id bigint PRIMARY KEY);
                INSERT INTO plain SELECT generate_series(1, 5);
                CREATE FUNCTION visit(id bigint) RETURNS boolean LANGUAGE sql VOLATILE AS
                  $$ INSERT INTO public.visits VALUES (id) RETURNING true $$;
                """);
        readerDatabase = TestDatabase.asRole("session_reader");
    }

    @AfterEach
    void close() {
        readerDatabase.close();
    }

    private Stream<SqlConnection> connectionsOfEveryKind() {
        return Stream.<Future<? extends SqlConnection>>of(
                        readerDatabase.database().connectPinned(),
                        readerDatabase.database().connectForListen(),
                        readerDatabase.pool().getConnection(),
                        readerDatabase.database().indexedPool().getConnection())
                .map(ReadingSessionTest::join);
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aSmallTableIsReadOverItsIndexForEachItemOfAPage() {
        DATABASE.run("""
                CREATE TABLE people (id bigint PRIMARY KEY, name text);
                INSERT INTO people SELECT id, 'Ada' FROM generate_series(1, 400) AS id;
                ANALYZE people;
                """);
        PgConnection connection = join(readerDatabase.database().connectPinned());
        String plan = StreamSupport.stream(join(connection.query("""
                                EXPLAIN SELECT * FROM generate_series(1, 30) AS page (id)
                                LEFT JOIN LATERAL (SELECT name FROM people AS one WHERE one.id = page.id LIMIT 1)
                                AS person ON true
                                """).execute()).spliterator(), false)
                .map(row -> row.getString(0))
                .collect(Collectors.joining("\n"));
        join(connection.close());
        assertThat(plan).contains("Index Scan using people_pkey");
    }

    @Test
    void noConnectionWritesEvenIfTheRoleMay() {
        assertThat(connectionsOfEveryKind()).hasSize(4).allSatisfy(connection -> {
            assertThat(catchThrowable(() -> join(
                            connection.query("INSERT INTO visits VALUES (1)").execute())))
                    .hasMessageContaining("read-only transaction");
            join(connection.close());
        });
    }

    @Test
    void aConditionThatWritesIsRejectedAndWritesNothing() {
        Feed feed = readerDatabase.feed("table", "plain", "orders.o", "id", "visible", "visit(id)");
        assertUnavailable(feed);
    }

    @Test
    void aViewThatWritesIsRejectedAndWritesNothing() {
        DATABASE.run("CREATE VIEW public.visited AS SELECT id, visit(id) AS seen FROM plain");
        assertUnavailable(readerDatabase.feed("table", "visited", "key", "id", "orders.o", "seen, id"));
    }

    /** A transaction that has read cannot be made writable. */
    @Test
    void aFunctionThatLeavesTheReadOnlyTransactionIsRejected() {
        DATABASE.rows("""
                CREATE OR REPLACE FUNCTION visit(id bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
                BEGIN
                  PERFORM pg_catalog.set_config('transaction_read_only', 'off', true);
                  INSERT INTO public.visits VALUES (id);
                  RETURN true;
                END $$""");
        Feed feed = readerDatabase.feed("table", "plain", "orders.o", "id", "visible", "visit(id)");
        assertUnavailable(feed);
    }

    private void assertUnavailable(Feed feed) {
        assertThat(catchThrowable(() -> new Walk(readerDatabase.reader(), feed, 3).forward()))
                .isInstanceOfSatisfying(ReadFailure.class, failure -> assertThat(failure.reason())
                        .isEqualTo(ReadFailure.Reason.FEED_UNAVAILABLE));
        assertThat(DATABASE.rows("SELECT 1 FROM visits")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLE session_reader", "ROLE session_reader IN DATABASE %s", "DATABASE %s"})
    void laterDatabaseSettingsDoNotAffectSessions(String targetFormat) {
        Feed feed = readerDatabase.feed("table", "plain", "orders.o", "id", "visible", "id = NULL IS NULL");
        Map<String, String> before = settings();
        String database = DATABASE.rows("SELECT current_database()").get(0).getString(0);
        String target = targetFormat.formatted(database);
        DATABASE.run("""
                CREATE SCHEMA session_reader;
                CREATE TABLE session_reader.plain (id bigint PRIMARY KEY)
                """);
        try {
            for (String setting : SETTINGS) {
                DATABASE.run("ALTER " + target + " SET " + setting);
            }
            DATABASE.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'session_reader'");
            readerDatabase.close();
            readerDatabase = TestDatabase.asRole("session_reader");
            assertThat(settings()).isEqualTo(before);
            assertThat(new Walk(readerDatabase.reader(), feed, 2).forward()).containsExactly("1", "2", "3", "4", "5");
            assertThat(readerDatabase
                            .feed("table", "plain", "orders.o", "id")
                            .relation()
                            .schema())
                    .isEqualTo("public");
        } finally {
            DATABASE.run("ALTER " + target + " RESET ALL");
        }
    }

    /** Settings that a session must not take from its role or database. */
    private static final List<String> SETTINGS = Stream.of(
                    "search_path = session_reader",
                    "statement_timeout = 1000",
                    "default_transaction_read_only = off",
                    "transform_null_equals = on",
                    "standard_conforming_strings = off",
                    "TimeZone = 'Asia/Tokyo'",
                    "idle_session_timeout = 5000",
                    "idle_in_transaction_session_timeout = 5000",
                    "client_min_messages = debug5",
                    "quote_all_identifiers = on",
                    "gin_fuzzy_search_limit = 5",
                    "timezone_abbreviations = 'India'",
                    "row_security = off",
                    "default_transaction_isolation = serializable",
                    "default_transaction_deferrable = on",
                    "exit_on_error = on",
                    TestPostgres.majorVersion() < 17 ? "" : "transaction_timeout = 5000")
            .filter(setting -> !setting.isEmpty())
            .toList();

    @Test
    void aGinIndexReturnsAllRowsWhateverTheRoleHasSet() {
        DATABASE.run("""
                CREATE TABLE people (id bigint PRIMARY KEY, tags int[], rank int);
                INSERT INTO people SELECT i, ARRAY[i % 50], -i FROM generate_series(1, 20000) i;
                CREATE INDEX ON people USING gin (tags);
                ANALYZE people;
                ALTER ROLE session_reader SET gin_fuzzy_search_limit = 5;
                """);
        readerDatabase.close();
        readerDatabase = TestDatabase.asRole("session_reader");
        Feed feed = readerDatabase.feed("table", "people", "orders.o", "rank", "visible", "tags @> '{7}'");
        assertThat(new Walk(readerDatabase.reader(), feed, 100).forward()).hasSize(400);
    }

    /** Connections that read no page have no timeouts of their own for statements, and need none. */
    @Test
    void noSessionEndsByATimeoutOfItsRole() {
        readerDatabase.close();
        for (String setting : List.of(
                "idle_session_timeout = 5000",
                "idle_in_transaction_session_timeout = 5000",
                "client_min_messages = debug5")) {
            DATABASE.run("ALTER ROLE session_reader SET " + setting);
        }
        if (TestPostgres.majorVersion() >= 17) {
            DATABASE.run("ALTER ROLE session_reader SET transaction_timeout = 5000");
        }
        readerDatabase = TestDatabase.asRole("session_reader");
        assertThat(connectionsOfEveryKind()).hasSize(4).allSatisfy(connection -> {
            assertThat(join(connection.query("SELECT 1 FROM pg_sleep(0.3)").execute()))
                    .hasSize(1);
            assertThat(join(connection
                            .query(
                                    "SELECT name FROM pg_settings WHERE name IN ('transaction_timeout',"
                                            + " 'idle_session_timeout', 'idle_in_transaction_session_timeout') AND setting <> '0'")
                            .execute()))
                    .isEmpty();
            assertThat(join(connection.query("SHOW client_min_messages").execute())
                            .iterator()
                            .next()
                            .getString(0))
                    .isEqualTo("error");
            join(connection.close());
        });
    }

    /** As if a pooler had changed a setting: PostgreSQL states it in another unit. */
    @Test
    void aSessionInWhichASettingDiffersIsRejectedWithItsName() {
        PgConnectOptions requested = new PgConnectOptions(DATABASE.owner())
                .addProperty("statement_timeout", "4321")
                .addProperty("enable_sort", "off")
                .addProperty("DateStyle", "ISO, YMD")
                .addProperty("TimeZone", "utc");
        PgConnection complete = join(prepare(requested, DATABASE.owner()));
        assertThat(join(complete.query("SHOW statement_timeout").execute())
                        .iterator()
                        .next()
                        .getString(0))
                .isEqualTo("4321ms");
        join(complete.close());
        requested.addProperty("statement_timeout", "4s").addProperty("lock_timeout", "3s");
        assertThat(catchThrowable(() -> join(prepare(requested, DATABASE.owner()))))
                .hasRootCauseInstanceOf(DroppedSettingsException.class)
                .hasMessageContaining("the session has lost lock_timeout, statement_timeout: a pooler");
    }

    @Test
    void aSettingOfTheUserCanHaveAnyUnit() {
        PgConnectOptions configured = new PgConnectOptions(DATABASE.owner()).addProperty("work_mem", "5120kB");
        PgConnectOptions requested = new PgConnectOptions(configured).addProperty("jit", "off");
        PgConnection session = join(prepare(requested, configured));
        assertThat(join(session.query("SHOW work_mem").execute())
                        .iterator()
                        .next()
                        .getString(0))
                .isEqualTo("5MB");
        join(session.close());
    }

    private Future<PgConnection> prepare(PgConnectOptions requested, PgConnectOptions configured) {
        SessionSettings settings = new SessionSettings(requested, configured, Duration.ofSeconds(30));
        return PgConnection.connect(DATABASE.vertx(), settings.startupOptions())
                .compose(opened -> settings.prepare(opened).map(opened));
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        for (Row row : join(readerDatabase
                .pool()
                .query("SELECT name, setting FROM pg_settings WHERE context IN ('user', 'superuser')"
                        + " AND name NOT IN ('application_name')")
                .execute())) {
            settings.put(row.getString(0), row.getString(1));
        }
        assertThat(settings).containsEntry("search_path", "\"pg_catalog\", \"public\", \"pg_temp\"");
        return settings;
    }

    @Test
    void aTemporaryTableDoesNotHideATable() {
        PgConnection connection = join(readerDatabase.database().connectPinned());
        join(connection
                .query("BEGIN READ WRITE; CREATE TEMP TABLE plain (id bigint PRIMARY KEY); COMMIT")
                .execute());
        Row row = join(connection
                        .query("SELECT 'plain'::regclass = 'public.plain'::regclass")
                        .execute())
                .iterator()
                .next();
        assertThat(row.getBoolean(0)).isTrue();
        join(connection.close());
    }
}
