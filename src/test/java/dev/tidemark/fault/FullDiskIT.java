package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.local.DedicatedPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** PostgreSQL's disk is full to its last byte. */
@Tag("chaos")
@Timeout(300)
@Slow
@Isolated
class FullDiskIT {

    private static final int DISK_MEGABYTES = 200;

    @TempDir
    static Path directory;

    private static SmallDisk disk;
    private static FaultSetup setup;
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        Optional<SmallDisk> small = SmallDisk.mount(directory.resolve("disk"), DISK_MEGABYTES);
        assumeTrue(small.isPresent(), "this test needs Linux and the permission to mount a file system");
        disk = small.orElseThrow();
        setup = new FaultSetup(
                new DedicatedPostgres(disk.directory()),
                directory,
                Map.of(
                        "TIDEMARK_STATEMENT_TIMEOUT",
                        "10s",
                        "TIDEMARK_FEEDS",
                        FaultSetup.FEEDS + "ranked: {table: ranked, key: id, orders: {newest: at desc}}"),
                "-Xmx128m");
        server = setup.server;
        // With so little memory, PostgreSQL sorts the rows for a page of the feed "ranked" in a file.
        setup.postgres.run("alter role reader set work_mem = '64kB'");
        setup.proxy.cut();
    }

    @AfterEach
    void free() throws Exception {
        disk.free();
    }

    @AfterAll
    static void stop() throws Exception {
        if (setup != null) {
            setup.close();
        }
        if (disk != null) {
            disk.close();
        }
    }

    @Test
    void pagesThatNeedATemporaryFileFailAndTheOthersAreServed() throws Exception {
        try (ScrollingClients scrolls = setup.startClients("things", 10);
                ScrollingClients sorted = setup.startClients("ranked", 4)) {
            scrolls.awaitPages();
            sorted.awaitPages();
            long before = sorted.failures();
            disk.fill();
            sorted.awaitFirstFailure();
            HttpResponse<String> rejected = server.get("/api/ranked");
            assertThat(rejected.statusCode()).isEqualTo(503);
            assertThat(server.isReady()).isTrue();
            scrolls.awaitPages();
            disk.free();
            setup.assertRecovery("the disk is full, pages that are sorted in files", sorted);
            assertThat(sorted.failures()).isPositive();
            System.out.println("FAULT the disk is full, pages that are read by an index: " + scrolls.finish());
            assertThat(scrolls.failures()).as("%s", server.log()).isZero();
            assertThat(before).isZero();
        }
    }

    @Test
    void scrollsContinueAfterPostgresCrashedOnAFullDisk() throws Exception {
        try (ScrollingClients scrolls = setup.startClients("things", 10)) {
            scrolls.awaitPages();
            disk.fill();
            writeUntilPostgresCrashes();
            scrolls.awaitFirstFailure();
            disk.free();
            setup.postgres.ensureRunning();
            setup.assertRecovery("PostgreSQL crashes because the disk is full", scrolls);
            assertThat(scrolls.failures()).isPositive();
        }
    }

    /**
     * Writes only to the write-ahead log: PostgreSQL crashes if it cannot write the log, whereas a failed write to a
     * table is only an error.
     */
    private static void writeUntilPostgresCrashes() throws SQLException {
        try (Connection connection = setup.postgres.connect();
                var statement = connection.createStatement()) {
            while (true) {
                statement.execute("select pg_logical_emit_message(true, 'fill', repeat('x', 1000000))");
            }
        } catch (SQLException dead) {
            assertThat(dead.getSQLState()).as(dead.getMessage()).startsWith("08");
        }
    }
}
