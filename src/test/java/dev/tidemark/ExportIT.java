package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.export.ExportedLines;
import dev.tidemark.http.export.SlowExport;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exports of the deployed server, over a list of 8 MB: more than the network keeps for a client that does not read. */
class ExportIT {

    private static final int ROWS = 8_000;
    private static final String EXPORT = "/api/things?order=o";

    /** Beyond the first page. */
    private static final int SOME = 400_000;

    private static String database;

    /** A server that no test stops. */
    private static DeployedServer other;

    @BeforeAll
    static void fillAndStart() throws Exception {
        database = TestPostgres.newDatabase();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres");
                var statement = connection.createStatement()) {
            statement.execute("create table things (id bigint primary key, load text not null)");
            statement.execute(
                    "insert into things select i, repeat(md5(i::text), 32) from generate_series(1, " + ROWS + ") as i");
        }
        other = start();
    }

    @AfterAll
    static void stop() {
        other.close();
    }

    @Test
    @Timeout(120)
    void aClientThatPausesLongerThanTheIdleTimeoutOfHttpIsNotCut() throws Exception {
        try (SlowExport export = SlowExport.open(other.port(), EXPORT)) {
            export.read(SOME);
            for (int i = 0; i < 3; i++) {
                awaitIdleTimeout(other.port());
            }
            assertThat(export.readAll().ids()).isEqualTo(allIds());
        }
    }

    @Test
    @Timeout(120)
    void anExportThatEndsWithItsServerGoesOnAtAnother() throws Exception {
        List<String> ids = new ArrayList<>();
        String cursor;
        try (DeployedServer server = start();
                SlowExport export = SlowExport.open(server.port(), EXPORT)) {
            export.read(SOME);
            server.askToStop();
            server.awaitEnd();
            ExportedLines lines = export.readAll();
            assertThat(lines.isComplete()).isFalse();
            ids.addAll(lines.idsBeforeLastCursor());
            cursor = lines.lastCursor();
        }
        try (SlowExport export = SlowExport.open(other.port(), EXPORT + "&cursor=" + cursor)) {
            ids.addAll(export.readAll().ids());
        }
        assertThat(ids).isEqualTo(allIds());
    }

    private static DeployedServer start() throws Exception {
        return DeployedServer.servingThings(
                        database,
                        Map.of(
                                "QUARKUS_HTTP_IDLE_TIMEOUT",
                                "1S",
                                "QUARKUS_SHUTDOWN_TIMEOUT",
                                "1S",
                                "TIDEMARK_CURSOR_KEYS",
                                Sealers.KEY))
                .awaitReady();
    }

    private static void awaitIdleTimeout(int port) throws IOException {
        try (RawConnection idle = new RawConnection(port)) {
            assertThat(idle.readAll()).isEmpty();
        }
    }

    private static List<String> allIds() {
        return IntStream.rangeClosed(1, ROWS).mapToObj(Integer::toString).toList();
    }
}
