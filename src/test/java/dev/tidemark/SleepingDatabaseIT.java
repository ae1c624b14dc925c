package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.DedicatedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that is stopped while nobody uses it, and started again. */
@Timeout(300)
@Slow
class SleepingDatabaseIT {

    @TempDir
    Path directory;

    @Test
    void nothingKeepsAnUnusedDatabaseAwake() throws Exception {
        try (DedicatedPostgres postgres = new DedicatedPostgres(directory)) {
            postgres.run("create role reader login; create table things (id bigint primary key);"
                    + " insert into things select generate_series(1, 20); grant select on things to reader");
            try (DeployedServer server = new DeployedServer(Map.of(
                            "DATABASE_URL", "postgres://reader@localhost:" + postgres.port() + "/postgres",
                            "QUARKUS_DATASOURCE_REACTIVE_IDLE_TIMEOUT", "1S",
                            "TIDEMARK_LET_DATABASE_SLEEP", "true",
                            "TIDEMARK_FEEDS", "{things: {table: things, orders: {o: id}}}"))
                    .awaitReady()) {
                assertThat(server.get("/api/things").statusCode()).isEqualTo(200);
                Await.until("all sessions are closed", () -> {
                    assertThat(server.isReady()).isTrue();
                    return sessions(postgres) == 0;
                });
                postgres.stop();
                assertThat(server.isReady()).isTrue();
                postgres.start();
                Await.until("pages are served", () -> server.get("/api/things").statusCode() == 200);
                assertThat(sessions(postgres)).isPositive();
            }
        }
    }

    private static int sessions(DedicatedPostgres postgres) throws Exception {
        try (Connection connection = postgres.connect();
                var row = connection
                        .createStatement()
                        .executeQuery("select count(*) from pg_stat_activity where usename = 'reader'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
