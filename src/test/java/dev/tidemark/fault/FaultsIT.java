package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.fault.FaultyWire.Mode;
import dev.tidemark.local.OwnPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The deployed jar over a PostgreSQL that fails in every way it can, while clients scroll. What is answered meanwhile is in
 * the catalogue; all scrolls come to their ends afterwards, with every item once and in its place; and how long it takes is
 * printed.
 */
@Timeout(120)
class FaultsIT {

    private static final int CLIENTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(1_500);

    @TempDir
    static Path directory;

    private static OwnPostgres postgres;
    private static FaultyWire wire;
    private static ServedJar server;
    private static List<String> expected;

    private Scrolls scrolls;

    @BeforeAll
    static void start() throws Exception {
        postgres = new OwnPostgres(directory, "max_connections", "30", "superuser_reserved_connections", "3");
        postgres.run("""
                create table things (id int primary key, at timestamptz not null, note text default repeat('x', 50));
                insert into things select i, '2026-01-01'::timestamptz + i / 3 * interval '1 second'
                    from generate_series(1, 1000) i;
                create index things_at on things (at, id);
                create table trouble (state text);
                create function shown(id int) returns boolean language plpgsql stable as $$
                declare trouble text;
                begin
                  select state into trouble from public.trouble;
                  if trouble is not null then
                    raise exception 'could not write to file: No space left on device' using errcode = trouble;
                  end if;
                  return true;
                end $$;
                create role reader login;
                grant select on all tables in schema public to reader;
                """);
        expected = ids();
        wire = new FaultyWire(postgres.port());
        server = new ServedJar(
                directory,
                Map.of(
                        "QUARKUS_DATASOURCE_REACTIVE_URL", "postgresql://localhost:" + wire.port() + "/postgres",
                        "QUARKUS_DATASOURCE_USERNAME", "reader",
                        "TIDEMARK_STATEMENT_TIMEOUT", "1s",
                        "TIDEMARK_RECHECK_INTERVAL", "500ms",
                        "TIDEMARK_FEEDS_THINGS_TABLE", "things",
                        "TIDEMARK_FEEDS_THINGS_ORDERS_NEWEST", "at desc",
                        "TIDEMARK_FEEDS_CHECKED_TABLE", "things",
                        "TIDEMARK_FEEDS_CHECKED_VISIBLE", "shown(id)",
                        "TIDEMARK_FEEDS_CHECKED_ORDERS_NEWEST", "at desc"),
                "-Xmx128m");
    }

    @AfterEach
    void endScrolls() {
        scrolls.close();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        wire.close();
        postgres.close();
    }

    @Test
    void postgresIsKilledAndStartedAgain(TestInfo test) throws Exception {
        begin("things");
        postgres.kill();
        scrolls.awaitFailures();
        assertThat(server.isReady()).isFalse();
        Thread.sleep(PAUSE.toMillis());
        postgres.start();
        end(test);
    }

    @Test
    void postgresIsRestarted(TestInfo test) throws Exception {
        begin("things");
        postgres.stop();
        scrolls.awaitFailures();
        postgres.start();
        end(test);
    }

    /** Longer than anybody waits for a statement. */
    @Test
    void postgresIsFrozen(TestInfo test) throws Exception {
        begin("things");
        postgres.freeze();
        scrolls.awaitFailures();
        assertThat(server.isReady()).isFalse();
        postgres.thaw();
        end(test);
    }

    @Test
    void everyConnectionIsTakenByOthers(TestInfo test) throws Exception {
        begin("things");
        List<Connection> others = new ArrayList<>();
        postgres.run("alter role reader connection limit 0");
        postgres.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'");
        try {
            while (true) {
                others.add(postgres.connect());
            }
        } catch (SQLException full) {
            assertThat(full.getSQLState()).isEqualTo("53300");
        }
        scrolls.awaitFailures();
        Thread.sleep(PAUSE.toMillis());
        try (var statement = others.get(0).createStatement()) {
            statement.execute("alter role reader connection limit -1");
        }
        for (Connection other : others) {
            other.close();
        }
        end(test);
    }

    @Test
    void theTableIsLocked(TestInfo test) throws Exception {
        begin("things");
        try (Connection other = postgres.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table things in access exclusive mode");
            scrolls.awaitFailures();
            Thread.sleep(PAUSE.toMillis());
        }
        end(test);
        assertThat(scrolls.count("504 timeout")).isPositive();
    }

    @Test
    void connectionsAreCutInMidAnswer(TestInfo test) throws Exception {
        begin("things");
        wire.set(Mode.CUT);
        scrolls.awaitFailures();
        Thread.sleep(PAUSE.toMillis());
        wire.set(Mode.PASSED);
        end(test);
    }

    @Test
    void connectionsAreCutOnce(TestInfo test) throws Exception {
        begin("things");
        for (int i = 0; i < 5; i++) {
            wire.cut();
            scrolls.awaitPages();
        }
        end(test);
    }

    @Test
    void answersComeInCrumbs(TestInfo test) throws Exception {
        begin("things");
        wire.set(Mode.CRUMBLED);
        scrolls.awaitPages();
        wire.set(Mode.PASSED);
        end(test);
        assertThat(scrolls.failures()).isZero();
    }

    @Test
    void answersComeLate(TestInfo test) throws Exception {
        begin("things");
        wire.set(Mode.LATE);
        scrolls.awaitPages();
        wire.set(Mode.PASSED);
        end(test);
    }

    @Test
    void theDiskIsFull(TestInfo test) throws Exception {
        begin("checked");
        postgres.run("insert into trouble values ('53100')");
        scrolls.awaitFailures();
        assertThat(server.get("/api/things").statusCode()).as("the other feed").isEqualTo(200);
        Thread.sleep(PAUSE.toMillis());
        postgres.run("delete from trouble");
        end(test);
    }

    @Test
    void aColumnIsRenamedAndRenamedBack(TestInfo test) throws Exception {
        begin("things");
        postgres.run("alter table things rename column note to remark");
        scrolls.awaitFailures();
        assertThat(server.get("/q/health/ready").body()).contains("there is no column note any more");
        postgres.run("alter table things rename column remark to note");
        end(test);
    }

    private void begin(String feed) throws Exception {
        scrolls = new Scrolls(server, feed, expected, CLIENTS);
        scrolls.awaitPages();
    }

    private void end(TestInfo test) throws Exception {
        long mended = System.nanoTime();
        scrolls.awaitPages();
        Duration ready = server.awaitReady();
        String seen = scrolls.finish();
        System.out.printf(
                "FAULT %s: last failure %d ms after the end of the fault, ready %d ms after pages; %s%n",
                test.getTestMethod().orElseThrow().getName(),
                scrolls.healthyAfter(mended).toMillis(),
                ready.toMillis(),
                seen);
        if (scrolls.failures() > 0) {
            assertThat(scrolls.scrolledThroughFailures()).isPositive();
        }
        assertThat(server.log()).doesNotContain(" ERROR ");
    }

    private static List<String> ids() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = postgres.connect();
                ResultSet rows =
                        connection.createStatement().executeQuery("select id from things order by at desc, id desc")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }
}
