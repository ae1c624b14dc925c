package dev.tidemark.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.local.DedicatedPostgres;
import dev.tidemark.refresh.ListRange.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client refreshes with a moment of another history of the database: from before a crash, from after a backup that
 * has since been restored, from an abandoned timeline, or from a primary that is ahead of the standby. Each time, the
 * client gets the current list of the server that it asks.
 */
@Timeout(600)
@Slow
class RefreshAcrossHistoriesIT {

    private static final List<ListRange> NOTES =
            List.of(new ListRange("notes", Order.NEWEST, "", "true", false, Optional.empty(), Optional.empty()));

    @TempDir
    static Path templateDirectory;

    /** A stopped server, whose data each test copies. */
    private static DedicatedPostgres template;

    @TempDir
    Path directory;

    private final List<AutoCloseable> startedServers = new ArrayList<>();

    @BeforeAll
    static void createTemplate() throws Exception {
        template = new DedicatedPostgres(
                templateDirectory, "autovacuum", "off", "synchronous_commit", "on", "wal_writer_delay", "10s");
        template.run(RefreshTables.createTablesSql() + RefreshTables.createViewSql() + RefreshTables.fillSql(40));
        template.run("""
            create table burnt (id int);
            create procedure burn(ids int) language plpgsql as $$ begin
                for i in 1..ids loop insert into burnt values (i); rollback; end loop;
            end $$\
            """);
        template.stop();
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = startedServers.size() - 1; i >= 0; i--) {
            startedServers.get(i).close();
        }
    }

    /** Fails if only the 32 bits of {@code xmin} are compared with those of the moment. */
    @Test
    void aMomentFromBeforeTheWrapOfTransactionIdsMissesNothing() throws Exception {
        DedicatedPostgres postgres = start(template.copy(directory));
        postgres.restartAtTransactionId((5L << 32) - 40);
        RefreshingClient client = clientOf(server(postgres));
        ListRange list = client.load(NOTES.get(0), 40);
        edit(postgres, 7, "just before");
        postgres.run("call burn(100)");
        edit(postgres, 8, "after");
        assertThat(horizon(postgres)).isGreaterThan(5L << 32);
        client.refresh(List.of(list));
        assertThat(client.list(list)).isEqualTo(read(postgres));
    }

    /** After a crash, ids of transactions that left nothing on disk are used again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMomentFromBeforeACrashSendsAllItems(boolean wholeServer) throws Exception {
        DedicatedPostgres postgres = start(template.copy(directory));
        DeployedServer server = server(postgres);
        RefreshingClient client = clientOf(server);
        client.load(NOTES.get(0), 40);
        postgres.run("call burn(200)");
        client.refresh(NOTES);
        long before = horizon(postgres);

        if (wholeServer) {
            postgres.kill();
            postgres.start();
        } else {
            postgres.killSession();
            postgres.ensureRunning();
        }
        assertThat(horizon(postgres)).as("ids are used again").isLessThan(before);
        edit(postgres, 5, "written with such an id");
        postgres.run("call burn(300)");

        Await.until("it is served again", () -> server.get("/api/notes?limit=1").statusCode() == 200);
        client.refresh(NOTES);
        assertThat(client.list(NOTES.get(0))).isEqualTo(read(postgres));
    }

    @Test
    void aMomentFromAfterABackupThatWasRestoredSendsAllItems() throws Exception {
        DedicatedPostgres postgres = start(template.copy(directory.resolve("primary")));
        RefreshingClient client = clientOf(server(postgres));
        client.load(NOTES.get(0), 40);
        DedicatedPostgres backup = postgres.backUp(directory.resolve("backup"));
        edit(postgres, 3, "lost");
        postgres.run("call burn(100)");
        client.refresh(NOTES);
        postgres.stop();

        start(backup);
        DeployedServer restored = server(backup);
        edit(backup, 4, "in the past of the moment");
        client.switchTo(restored);
        client.refresh(NOTES);
        assertThat(client.list(NOTES.get(0))).isEqualTo(read(backup));
    }

    @Test
    void aMomentOfAnAbandonedTimelineSendsAllItems() throws Exception {
        DedicatedPostgres primary = start(template.copy(directory.resolve("primary")));
        DedicatedPostgres standby = standby(primary);
        DeployedServer serverOfPrimary = server(primary);
        DeployedServer serverOfStandby = server(standby);
        RefreshingClient faithful = clientOf(serverOfStandby);
        faithful.load(NOTES.get(0), 40);
        RefreshingClient other = clientOf(serverOfPrimary);
        other.load(NOTES.get(0), 40);

        standby.run("select pg_promote()");
        // The old primary keeps running for a while.
        edit(primary, 3, "lost");
        primary.run("call burn(50)");
        other.refresh(NOTES);
        assertThat(other.list(NOTES.get(0))).isEqualTo(read(primary));
        edit(standby, 4, "in the past of the moment");
        standby.run("call burn(100)");

        // The server still uses the connections that it opened before the promotion.
        faithful.refresh(NOTES);
        assertThat(faithful.list(NOTES.get(0))).isEqualTo(read(standby));
        other.switchTo(serverOfStandby);
        other.refresh(NOTES);
        assertThat(other.list(NOTES.get(0))).isEqualTo(read(standby));
    }

    /**
     * Fails if a row counts as unchanged whenever {@code pg_visible_in_snapshot} is true for its {@code xmin} and the
     * snapshot of the moment.
     */
    @Test
    void aClientOfALaggingStandbyHasTheListOfTheStandby() throws Exception {
        DedicatedPostgres primary = start(template.copy(directory.resolve("primary")));
        DedicatedPostgres standby = standby(primary);
        DeployedServer serverOfPrimary = server(primary);
        DeployedServer serverOfStandby = server(standby);
        RefreshingClient client = clientOf(serverOfPrimary);
        client.load(NOTES.get(0), 40);

        standby.run("select pg_wal_replay_pause()");
        edit(primary, 3, "late on the standby");
        client.refresh(NOTES);
        assertThat(client.list(NOTES.get(0))).isEqualTo(read(primary));
        client.switchTo(serverOfStandby);
        client.refresh(NOTES);
        assertThat(client.list(NOTES.get(0))).isEqualTo(read(standby)).isNotEqualTo(read(primary));
        standby.run("select pg_wal_replay_resume()");

        // The client gets its moment from the standby before this transaction commits. The transaction writes in a
        // savepoint, and another transaction, which has a greater id, commits first.
        try (Connection open = primary.connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("insert into burnt values (0)");
            open.setSavepoint();
            open.createStatement()
                    .execute("update notes set version = nextval('versions'), body = 'late' where id = 9");
            edit(primary, 8, "early");
            Await.until("the standby has it", () -> read(standby).equals(read(primary)));
            client.refresh(NOTES);
            open.commit();
        }
        Await.until("the standby has it", () -> read(standby).equals(read(primary)));
        client.refresh(NOTES);
        assertThat(client.list(NOTES.get(0))).isEqualTo(read(standby));
    }

    private DedicatedPostgres standby(DedicatedPostgres primary) throws Exception {
        DedicatedPostgres standby = primary.backUp(directory.resolve("standby"));
        standby.follow(primary);
        return start(standby);
    }

    private DedicatedPostgres start(DedicatedPostgres postgres) throws Exception {
        startedServers.add(postgres);
        postgres.start();
        return postgres;
    }

    /** Starts a server. All servers have the same cursor keys. */
    private DeployedServer server(DedicatedPostgres postgres) throws IOException, InterruptedException {
        Map<String, String> settings = new TreeMap<>(RefreshTables.settings());
        settings.put("quarkus.datasource.reactive.url", "postgresql://localhost:" + postgres.port() + "/postgres");
        settings.put("quarkus.datasource.username", "postgres");
        settings.put(
                "tidemark.cursor.keys",
                Base64.getEncoder()
                        .encodeToString(
                                "A key of 64 bytes. ".repeat(4).substring(0, 64).getBytes()));
        DeployedServer server = DeployedServer.withConfigFile(settings);
        startedServers.add(server);
        return server.awaitReady();
    }

    private static RefreshingClient clientOf(DeployedServer server) {
        return new RefreshingClient(server, Seed.random());
    }

    private static List<Row> read(DedicatedPostgres postgres) throws SQLException {
        try (Connection connection = postgres.connect()) {
            return NOTES.get(0).read(connection);
        }
    }

    private static void edit(DedicatedPostgres postgres, int id, String body) throws SQLException {
        postgres.run("update notes set version = nextval('versions'), body = '" + body + "' where id = " + id);
    }

    private static long horizon(DedicatedPostgres postgres) throws SQLException {
        try (Connection connection = postgres.connect();
                var read = connection
                        .createStatement()
                        .executeQuery("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint")) {
            read.next();
            return read.getLong(1);
        }
    }
}
