package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.http.export.ExportedLines;
import dev.tidemark.http.export.SlowExport;
import dev.tidemark.local.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Exports of the deployed server, from a list of 8 MB, which is more than network buffers hold for a client that does
 * not read.
 */
@Slow
class ExportIT {

    private static final int ROWS = 8_000;
    private static final String EXPORT = "/api/things?order=o";

    /** All pages of this list are read over a pool with a single connection. */
    private static final String UNINDEXED = "/api/masses";

    /**
     * The number of items on each page but the first: the largest page size of exports that holds at most 256 kB.
     */
    private static final int PAGE_ITEMS = 200;

    /** A number of bytes that is larger than the first page. */
    private static final int MORE_BYTES_THAN_A_PAGE = 400_000;

    private static String database;

    /** A server that all tests share and no test stops. */
    private static DeployedServer shared;

    @BeforeAll
    static void fillAndStart() throws Exception {
        database = TestPostgres.newDatabase();
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("create table things (id bigint primary key, mass int not null, load text not null)");
            statement.execute("insert into things select i, i % 100, repeat(md5(i::text), 32)"
                    + " from generate_series(1, " + ROWS + ") as i");
        }
        shared = start();
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    /**
     * After the server has closed the connection, the client still receives what the network had buffered. The
     * exported items that the client does not receive were buffered by the server itself.
     */
    @Test
    @Timeout(120)
    void aClientThatDoesNotReadTakesOnePageOfMemoryUntilTheIdleTimeout() throws Exception {
        try (DeployedServer server = start(Map.of("QUARKUS_HTTP_IDLE_TIMEOUT", "1S"));
                SlowExport export = SlowExport.open(server.port(), EXPORT)) {
            Await.until(
                    "the client is disconnected",
                    () -> metric(server, "tidemark_exports_total{outcome=\"disconnected\"} ") == 1);
            assertThat(metric(server, "tidemark_export_streams ")).isZero();
            ExportedLines received = export.readAll();
            assertThat(received.isComplete()).isFalse();
            assertThat(metric(server, "tidemark_export_items_total ")
                            - received.ids().size())
                    .isBetween(0.0, (double) PAGE_ITEMS);
        }
    }

    private static double metric(DeployedServer server, String prefix) throws Exception {
        return server.getManagement("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .mapToDouble(line -> Double.parseDouble(line.substring(prefix.length())))
                .findFirst()
                .orElse(Double.NaN);
    }

    @Test
    @Timeout(120)
    void anExportInterruptedByAShutdownContinuesOnAnotherServer() throws Exception {
        List<String> ids = new ArrayList<>();
        String cursor;
        try (DeployedServer server = start();
                SlowExport export = SlowExport.open(server.port(), EXPORT)) {
            export.read(MORE_BYTES_THAN_A_PAGE);
            server.askToStop();
            server.awaitEnd();
            ExportedLines lines = export.readAll();
            assertThat(lines.isComplete()).isFalse();
            ids.addAll(lines.idsBeforeLastCursor());
            cursor = lines.lastCursor();
        }
        try (SlowExport export = SlowExport.open(shared.port(), EXPORT + "&cursor=" + cursor)) {
            ids.addAll(export.readAll().ids());
        }
        assertThat(ids).isEqualTo(allIds());
    }

    @Test
    @Timeout(120)
    void anExportThatWaitsForItsClientHoldsNoDatabaseConnection() throws Exception {
        try (SlowExport waiting = SlowExport.open(shared.port(), UNINDEXED);
                SlowExport export = SlowExport.open(shared.port(), UNINDEXED)) {
            waiting.read(MORE_BYTES_THAN_A_PAGE);
            assertThat(export.readAll().isComplete()).isTrue();
            assertThat(shared.get(UNINDEXED).statusCode()).as("a page").isEqualTo(200);
            Await.until("no session runs a statement or has an open transaction", () -> sessionsInUse() == 0);
            assertThat(waiting.readAll().isComplete()).isTrue();
        }
    }

    private static long sessionsInUse() throws SQLException {
        try (var connection = connect();
                var sessions = connection
                        .createStatement()
                        .executeQuery("select count(*) from pg_stat_activity where datname = current_database()"
                                + " and backend_type = 'client backend' and pid <> pg_backend_pid()"
                                + " and state <> 'idle'")) {
            sessions.next();
            return sessions.getLong(1);
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:" + database, "postgres", "postgres");
    }

    private static DeployedServer start() throws Exception {
        return start(Map.of());
    }

    private static DeployedServer start(Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("QUARKUS_SHUTDOWN_TIMEOUT", "1S");
        settings.put(
                "TIDEMARK_FEEDS",
                "{things: {table: things, orders: {o: id}}, masses: {table: things, orders: {o: mass}}}");
        settings.put("TIDEMARK_FREE_CONNECTIONS", "1");
        settings.put("TIDEMARK_CURSOR_KEYS", Sealers.KEY);
        return DeployedServer.servingThings(database, settings).awaitReady();
    }

    private static List<String> allIds() {
        return IntStream.rangeClosed(1, ROWS).mapToObj(Integer::toString).toList();
    }
}
