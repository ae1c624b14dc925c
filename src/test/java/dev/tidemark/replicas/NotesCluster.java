package dev.tidemark.replicas;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.local.DedicatedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A primary and two standbys with a table of notes that a server serves. The second standby applies changes late. */
final class NotesCluster implements AutoCloseable {

    /** The number of notes that exist from start to end. */
    static final int PERMANENT_NOTES = 2_000;

    final DedicatedPostgres primary;
    final DedicatedPostgres promptStandby;
    final DedicatedPostgres lateStandby;
    private final List<AutoCloseable> startedServers = new ArrayList<>();

    /** @param delay the time after which the second standby applies a change */
    NotesCluster(Path directory, String delay) throws Exception {
        primary =
                new DedicatedPostgres(directory.resolve("primary"), "wal_keep_size", "256MB", "max_wal_senders", "10");
        startedServers.add(primary);
        createNotes(primary);
        promptStandby = standby(directory.resolve("prompt"));
        lateStandby = standby(directory.resolve("late"), "recovery_min_apply_delay", delay);
        promptStandby.start();
        lateStandby.start();
    }

    static void createNotes(DedicatedPostgres host) throws SQLException {
        host.run("""
            create table notes (id bigint generated always as identity primary key,
              written_at timestamptz not null default clock_timestamp(), body text not null);
            create index on notes (written_at, id);
            insert into notes (written_at, body)
              select now() - interval '1 day' + g * interval '1 second', 'standing' from generate_series(1, %d) g;
            analyze notes;
            create function tidemark_notify() returns trigger language plpgsql as $$ begin
              perform pg_notify('tidemark', tg_table_schema || '.' || tg_table_name); return null; end $$;
            create trigger tidemark_notify after insert or update or delete or truncate on notes
              for each statement execute function tidemark_notify();
            create role reader login password 'reader';
            grant pg_read_all_stats to reader;
            grant select on notes to reader;
            """.formatted(PERMANENT_NOTES));
    }

    private DedicatedPostgres standby(Path directory, String... settings) throws Exception {
        DedicatedPostgres standby = primary.backUp(directory);
        standby.follow(primary, settings);
        startedServers.add(standby);
        return standby;
    }

    List<DedicatedPostgres> all() {
        return List.of(primary, promptStandby, lateStandby);
    }

    /**
     * Starts a server over all three hosts. It is not ready yet.
     *
     * @param maxLag the largest lag with which a standby serves pages
     */
    DeployedServer startServer(String maxLag) throws IOException {
        return startServer(maxLag, Map.of());
    }

    /** @param more further settings */
    DeployedServer startServer(String maxLag, Map<String, String> more) throws IOException {
        Map<String, String> settings = new TreeMap<>(more);
        settings.put(
                "quarkus.datasource.reactive.url",
                all().stream()
                        .map(host -> "postgresql://localhost:" + host.port() + "/postgres")
                        .collect(Collectors.joining(",")));
        settings.put("quarkus.datasource.username", "reader");
        settings.put("quarkus.datasource.password", "reader");
        settings.put("tidemark.replica-max-lag", maxLag);
        // Streams then depend on notifications.
        settings.put("tidemark.fresh.poll-interval", "1h");
        settings.put("tidemark.feeds.notes.table", "notes");
        settings.put("tidemark.feeds.notes.orders.newest", "written_at desc");
        settings.put("tidemark.feeds.unindexed.table", "notes");
        settings.put("tidemark.feeds.unindexed.orders.text", "body");
        settings.put("tidemark.feeds.counted.table", "notes");
        settings.put("tidemark.feeds.counted.orders.newest", "written_at desc");
        settings.put("tidemark.feeds.counted.filters.id", "range");
        settings.put("tidemark.feeds.counted.count", "exact");
        settings.put("tidemark.feeds.kept.table", "notes");
        settings.put("tidemark.feeds.kept.orders.oldest", "id");
        settings.put("tidemark.feeds.kept.delta", "true");
        DeployedServer server = DeployedServer.withConfigFile(settings);
        startedServers.add(server);
        return server;
    }

    static int write(Connection to) throws SQLException {
        try (var inserted = to.createStatement().executeQuery("insert into notes (body) values ('new') returning id")) {
            inserted.next();
            return inserted.getInt(1);
        }
    }

    /** Writes new notes at the rate of a busy table. */
    static void write(DedicatedPostgres to, int notes, Set<Integer> written) throws SQLException {
        try (Connection connection = to.connect()) {
            for (int i = 0; i < notes; i++) {
                written.add(write(connection));
                connection.createStatement().execute("select pg_sleep(0.02)");
            }
        }
    }

    /** Waits until the standby has as many notes as the primary. */
    void awaitCaughtUp(DedicatedPostgres standby) {
        Await.until("the standby has caught up", () -> noteCount(standby) == noteCount(primary));
    }

    static long noteCount(DedicatedPostgres host) throws SQLException {
        try (Connection connection = host.connect();
                var count = connection.createStatement().executeQuery("select count(*) from notes")) {
            count.next();
            return count.getLong(1);
        }
    }

    /** What the server uses the host for, according to readiness. */
    static String useOf(DeployedServer server, DedicatedPostgres host) throws Exception {
        String health = server.getManagement("/q/health/ready").body();
        String name = "\"localhost:" + host.port() + "\": \"";
        int start = health.indexOf(name) + name.length();
        return health.substring(start, health.indexOf('"', start));
    }

    /** The number of the server's reads that the host has answered. */
    static long readCount(DeployedServer server, DedicatedPostgres host) throws Exception {
        return metric(server, "tidemark_host_reads_total{host=\"localhost:" + host.port() + "\"}");
    }

    /** The number of statements for lists without an index that were rejected because the host was overloaded. */
    static long rejectedCount(DeployedServer server, DedicatedPostgres host) throws Exception {
        return metric(server, "tidemark_statements_rejected_total{connections=\"free localhost:" + host.port() + "\"}");
    }

    /** The number of statements for lists without an index that the host has not answered yet. */
    static long inFlightCount(DeployedServer server, DedicatedPostgres host) throws Exception {
        return metric(server, "tidemark_statements_in_flight{connections=\"free localhost:" + host.port() + "\"}");
    }

    private static long metric(DeployedServer server, String metric) throws Exception {
        String name = metric + " ";
        return server.getManagement("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws Exception {
        for (int i = startedServers.size() - 1; i >= 0; i--) {
            startedServers.get(i).close();
        }
    }
}
