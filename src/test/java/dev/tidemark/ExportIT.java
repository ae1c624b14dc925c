package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.export.ExportedLines;
import dev.tidemark.http.export.SlowExport;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exports of the deployed server, over a list of 20 MB: more than the network keeps for a client that does not read. */
class ExportIT {

    private static final int ROWS = 20_000;
    private static final String EXPORT = "/api/things?order=o";

    /** Beyond the first page. */
    private static final int SOME = 400_000;

    private static String database;

    @BeforeAll
    static void fill() throws SQLException {
        database = TestPostgres.newDatabase();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres");
                var statement = connection.createStatement()) {
            statement.execute("create table things (id bigint primary key, load text not null)");
            statement.execute(
                    "insert into things select i, repeat(md5(i::text), 32) from generate_series(1, " + ROWS + ") as i");
        }
    }

    @Test
    @Timeout(120)
    void aClientThatPausesLongerThanTheIdleTimeoutOfHttpIsNotCut() throws Exception {
        try (DeployedServer server = start("QUARKUS_HTTP_IDLE_TIMEOUT", "1S");
                SlowExport export = SlowExport.open(server.port(), EXPORT)) {
            export.read(SOME);
            for (int i = 0; i < 3; i++) {
                awaitIdleTimeout(server.port());
            }
            assertThat(export.readAll().ids()).isEqualTo(allIds());
        }
    }

    @Test
    @Timeout(120)
    void anExportThatEndsWithItsServerGoesOnAtAnother() throws Exception {
        List<String> ids = new ArrayList<>();
        String cursor;
        try (DeployedServer server = start("QUARKUS_SHUTDOWN_TIMEOUT", "1S");
                SlowExport export = SlowExport.open(server.port(), EXPORT)) {
            export.read(SOME);
            server.askToStop();
            server.awaitEnd();
            ExportedLines lines = export.readAll();
            assertThat(lines.isComplete()).isFalse();
            ids.addAll(lines.idsBeforeLastCursor());
            cursor = lines.lastCursor();
        }
        try (DeployedServer server = start("QUARKUS_SHUTDOWN_TIMEOUT", "1S");
                SlowExport export = SlowExport.open(server.port(), EXPORT + "&cursor=" + cursor)) {
            ids.addAll(export.readAll().ids());
        }
        assertThat(ids).isEqualTo(allIds());
    }

    private static DeployedServer start(String setting, String value) throws Exception {
        return DeployedServer.servingThings(database, Map.of(setting, value, "TIDEMARK_CURSOR_KEYS", Sealers.KEY))
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
