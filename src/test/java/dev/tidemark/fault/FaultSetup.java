package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.DeployedServer;
import dev.tidemark.local.DedicatedPostgres;
import dev.tidemark.local.FaultyProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two feeds over a table of a thousand things, and one over a copy of this table. The deployed jar reads the table
 * from a dedicated PostgreSQL through a {@link FaultyProxy}.
 */
final class FaultSetup implements AutoCloseable {

    static final String FEEDS = """
            things: {table: things, orders: {newest: at desc}, delta: true}
            others: {table: others, orders: {newest: at desc}}
            checked: {table: things, visible: shown(id), orders: {newest: at desc}}
            """;

    final DedicatedPostgres postgres;
    final FaultyProxy proxy;
    final DeployedServer server;

    /** The settings of the server, without its ports. */
    final Map<String, String> settings = new HashMap<>();

    /** The keys of all things, in the order of both feeds. */
    final List<String> expected;

    /** The server has a short statement timeout, so that tests need not wait long. */
    FaultSetup(Path directory, String... options) throws Exception {
        this(directory, Map.of(), options);
    }

    /** @param environment additional settings of the server, which override those of this class */
    FaultSetup(Path directory, Map<String, String> environment, String... options) throws Exception {
        this(new DedicatedPostgres(directory, "max_connections", "60"), directory, environment, options);
    }

    FaultSetup(DedicatedPostgres postgres, Path directory, Map<String, String> environment, String... options)
            throws Exception {
        this.postgres = postgres;
        postgres.run("""
                create table things (id int primary key, at timestamptz not null, note text default repeat('x', 50));
                insert into things select i, '2026-01-01'::timestamptz + i / 3 * interval '1 second'
                    from generate_series(1, 1000) i;
                create index things_at on things (at, id);
                create table others (like things including all);
                insert into others select * from things;
                create view ranked as
                    select id, at, note, row_number() over (order by md5(note || id)) as rank from things;
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
        proxy = new FaultyProxy(postgres.port());
        settings.put("QUARKUS_DATASOURCE_REACTIVE_URL", "postgresql://localhost:" + proxy.port() + "/postgres");
        settings.put("QUARKUS_DATASOURCE_USERNAME", "reader");
        settings.put("TIDEMARK_STATEMENT_TIMEOUT", "1s");
        settings.put("TIDEMARK_RECHECK_INTERVAL", "500ms");
        settings.put("TIDEMARK_FEEDS", FEEDS);
        settings.putAll(environment);
        server = new DeployedServer(settings, options).awaitReady();
    }

    /** Starts clients that pause after each page, so that tests that run in parallel get processor time. */
    ScrollingClients startClients(String feed, int clients) {
        return startClients(feed, clients, Duration.ofMillis(20));
    }

    /** @param pause the time that a client waits between two pages */
    ScrollingClients startClients(String feed, int clients, Duration pause) {
        return new ScrollingClients(server, feed, expected, clients, pause);
    }

    /**
     * Checks that pages are served again after a fault, and that no error was logged; prints how long the recovery
     * took.
     */
    void assertRecovery(String fault, ScrollingClients scrolls) throws Exception {
        long repairNanos = System.nanoTime();
        scrolls.awaitPages();
        Duration ready = measureTimeToReady();
        String seen = scrolls.finish();
        System.out.printf(
                "FAULT %s: last failure %d ms after the end of the fault, ready %d ms after pages are served again; %s%n",
                fault, scrolls.timeToLastFailure(repairNanos).toMillis(), ready.toMillis(), seen);
        if (scrolls.failures() > 0) {
            assertThat(scrolls.completeScrollsWithFailures()).isPositive();
        }
        assertThat(server.errors()).isEmpty();
    }

    /** Waits until the server is ready, and returns how long that took. */
    Duration measureTimeToReady() throws IOException, InterruptedException {
        long start = System.nanoTime();
        server.awaitReady();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** The number of the server's sessions, as the database counts them. */
    int sessions() throws SQLException {
        try (Connection connection = postgres.connect();
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("select count(*) from pg_stat_activity where usename = 'reader'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** The resident memory of the server in megabytes; Linux only. */
    long residentMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    long fileDescriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
            return open.count();
        }
    }

    private List<String> ids() throws SQLException {
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

    @Override
    public void close() throws Exception {
        server.close();
        proxy.close();
        postgres.close();
    }
}
