package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.Slow;
import dev.tidemark.local.DedicatedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The timeline that a standby reports to reads, without a poll, after another standby was promoted. */
@Timeout(120)
@Slow
class StandbyTimelineIT {

    private static final int TIMELINE_COLUMN = 4;

    @TempDir
    Path directory;

    @Test
    void aStandbyThatShowsAChangeOfTheNewTimelineReportsThisTimeline() throws Exception {
        try (DedicatedPostgres primary = new DedicatedPostgres(directory.resolve("primary"), "wal_keep_size", "256MB");
                DedicatedPostgres promoted = primary.backUp(directory.resolve("promoted"));
                DedicatedPostgres standby = primary.backUp(directory.resolve("standby"))) {
            promoted.follow(primary);
            promoted.start();
            standby.follow(primary);
            standby.start();
            primary.run("create table before_promotion (id int)");
            try (Connection reader = standby.connect()) {
                Await.until("the standby has caught up", () -> exists(reader, "before_promotion"));
                assertThat(timeline(reader)).isEqualTo(1);
                Await.until("the other standby has caught up", () -> exists(promoted, "before_promotion"));
                primary.stop();
                promoted.run("select pg_promote()");
                standby.run("alter system set primary_conninfo = 'host=localhost user=postgres port=%d'"
                        .formatted(promoted.port()));
                standby.run("select pg_reload_conf()");
                promoted.run("create table after_promotion (id int)");
                Await.until("the standby has a change of the new timeline", () -> exists(reader, "after_promotion"));
                assertThat(timeline(reader)).isEqualTo(2);
            }
        }
    }

    private static int timeline(Connection reader) throws SQLException {
        try (ResultSet position = reader.createStatement().executeQuery(LogPosition.SQL)) {
            position.next();
            return position.getInt(TIMELINE_COLUMN);
        }
    }

    private static boolean exists(DedicatedPostgres host, String table) throws SQLException {
        try (Connection connection = host.connect()) {
            return exists(connection, table);
        }
    }

    private static boolean exists(Connection connection, String table) throws SQLException {
        try (ResultSet found =
                connection.createStatement().executeQuery("select to_regclass('" + table + "') is not null")) {
            found.next();
            return found.getBoolean(1);
        }
    }
}
