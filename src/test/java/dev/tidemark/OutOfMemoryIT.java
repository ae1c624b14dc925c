package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.DriverManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that has less direct memory than one of its pages needs. */
@Timeout(120)
@Slow
class OutOfMemoryIT {

    private static String database;

    @BeforeAll
    static void createDatabase() throws Exception {
        database = DeployedServer.databaseWithTwentyThings();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("alter table things add note text");
            connection.createStatement().execute("insert into things values (21, repeat('x', 1000000))");
        }
    }

    @Test
    void aProcessThatRunsOutOfDirectMemoryIsNotLive() throws Exception {
        try (var server = DeployedServer.servingThings(database, "-XX:MaxDirectMemorySize=512k")
                .awaitReady()) {
            assertThat(server.getManagement("/q/health/live").statusCode()).isEqualTo(200);
            assertThat(server.get("/api/things?limit=30").statusCode()).isEqualTo(500);
            assertThat(server.getManagement("/q/health/live").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void aProcessThatRunsOutOfDirectMemoryEndsIfTheOptionOfTheJvmSaysSo() throws Exception {
        try (DeployedServer server = DeployedServer.servingThings(
                        database, "-XX:MaxDirectMemorySize=512k", "-XX:+ExitOnOutOfMemoryError")
                .awaitReady()) {
            assertThatThrownBy(() -> server.get("/api/things?limit=30")).isInstanceOf(IOException.class);
            assertThat(server.awaitEnd()).isEqualTo(3);
        }
    }
}
