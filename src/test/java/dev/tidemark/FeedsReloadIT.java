package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that reloads its feeds when their file is replaced, as Kubernetes replaces the files of a mounted ConfigMap.
 */
@Order(4)
@Timeout(120)
@Slow
class FeedsReloadIT {

    private static final String TABLES = """
            create table notes (id bigint primary key, room text not null);
            insert into notes select i, 'room ' || i % 3 from generate_series(1, 20) as i;
            create table parcels (id bigint primary key);
            insert into parcels select * from generate_series(1, 10);
            create view noted as select id from notes;
            create function tidemark_notify() returns trigger language plpgsql as $$
                begin perform pg_notify('tidemark', tg_table_schema || '.' || tg_table_name); return null; end $$;
            create trigger tidemark_notify after insert or update or delete or truncate on notes
                for each statement execute function tidemark_notify();
            create view held as select id from parcels where pg_advisory_xact_lock_shared(7)::text is not null;
            """;

    private static final String NOTES = """
            tidemark:
              feeds:
                notes:
                  table: notes
                  orders: {newest: id desc, room: room}
                  default-order: newest
            """;
    private static final String PARCELS = """
                parcels:
                  table: parcels
                  orders: {newest: id desc}
                  delta: true
            """;
    private static final String HELD = """
                held:
                  table: held
                  key: id
                  orders: {oldest: id}
            """;

    private static final String NOTED = """
                noted:
                  table: noted
                  key: id
                  orders: {newest: id desc}
            """;

    @TempDir
    static Path directory;

    private static String database;
    private static DeployedServer server;
    private static int versions;

    @BeforeAll
    static void start() throws Exception {
        database = TestPostgres.newDatabase();
        execute(TABLES);
        Path file = Files.createSymbolicLink(directory.resolve("feeds.yaml"), Path.of("..data", "feeds.yaml"));
        declare(NOTES);
        server = new DeployedServer(Map.of(
                        "QUARKUS_DATASOURCE_REACTIVE_URL", database,
                        "QUARKUS_DATASOURCE_USERNAME", "postgres",
                        "QUARKUS_DATASOURCE_PASSWORD", "postgres",
                        "QUARKUS_CONFIG_LOCATIONS", file.toString(),
                        "TIDEMARK_STATEMENT_TIMEOUT", "60s",
                        // Reads wait for the lock of the view held.
                        "TIDEMARK_LONGEST_WAIT", "60s",
                        // Only notifications report changes.
                        "TIDEMARK_FRESH_POLL_INTERVAL", "1h",
                        "TIDEMARK_FEEDS_RELOAD", "true"))
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void declareNotesAndParcels() throws IOException {
        declare(NOTES + PARCELS);
        awaitFeeds("notes", "parcels");
    }

    @Test
    void cursorsOfUnchangedListsStayValid() throws Exception {
        String newest = nextPageTarget("/api/notes?limit=3");
        String room = nextPageTarget("/api/notes?limit=3&order=room");
        String page = server.get(newest).body();

        declare(NOTES.replace("room: room}", "room: room desc}")
                        .replace("default-order", "limit: {default: 7, web-default: 7, max: 7}\n      default-order")
                + HELD);
        awaitFeeds("held", "notes");

        assertThat(server.get(newest).body()).isEqualTo(page);
        assertProblem(server.get(room), 400, "cursor_mismatch");
        assertThat(items("/api/notes?order=room&limit=100")).hasSize(7);
        assertThat(items("/api/held")).hasSize(10);
        assertThat(server.get("/q/openapi?format=json").body())
                .contains("/api/held\"", "/v3/held\"")
                .doesNotContain("/api/parcels\"");
    }

    @Test
    void streamsOfRemovedFeedsEndWithAProblem() throws Exception {
        EventClient removed = stream("parcels");
        EventClient removedWindow = EventClient.open(server.port(), "/api/parcels/live", "");
        assertThat(removedWindow.nextEvent().name()).isEqualTo("page");
        EventClient unchanged = stream("notes");
        assertThat(items("/api/parcels")).hasSize(10);
        assertThat(server.getManagement("/q/metrics").body()).contains("feed=\"parcels\"");

        declare(NOTES);
        awaitFeeds("notes");

        assertThat(JsonDocument.of(removed.problem()).getString("code")).isEqualTo("unknown_feed");
        removed.awaitEnd();
        assertThat(JsonDocument.of(removedWindow.problem()).getString("code")).isEqualTo("unknown_feed");
        removedWindow.awaitEnd();
        assertProblem(server.get("/api/parcels"), 404, "unknown_feed");
        assertProblem(server.get("/v3/parcels?limit=1"), 404, "3001");
        Await.until(
                "the metrics of the removed feed are gone",
                () -> !server.getManagement("/q/metrics").body().contains("feed=\"parcels\""));
        assertThat(server.getManagement("/q/metrics").body()).contains("feed=\"notes\"");
        execute("insert into notes values (100, 'room 1')");
        assertThat(unchanged.next()).contains("\"count\":1");
        unchanged.close();
        execute("delete from notes where id = 100");
    }

    @Test
    void streamsOfChangedFeedsEnd() throws Exception {
        EventClient changed = stream("parcels");
        EventClient changedWindow = EventClient.open(server.port(), "/api/parcels/live", "");
        changedWindow.nextEvent();
        declare(NOTES + PARCELS + "      limit: {default: 5, web-default: 5, max: 5}\n");
        changed.awaitEnd();
        assertThat(changed.peek()).isNull();
        changedWindow.awaitEnd();
        assertThat(changedWindow.peek()).isNull();
        assertThat(items("/api/parcels?limit=100")).hasSize(5);
    }

    @Test
    void aReloadStartsAndStopsTheNoticesOfTablesUnderAView() throws Exception {
        declare(NOTES + NOTED);
        awaitFeeds("noted", "notes");
        EventClient before = stream("noted");

        declare(NOTES + NOTED + "      notify-on: [notes]\n");
        before.awaitEnd();
        EventClient notified = stream("noted");
        execute("insert into notes values (100, 'room 1')");
        assertThat(notified.next()).contains("\"count\":1");

        declare(NOTES + NOTED);
        notified.awaitEnd();
        EventClient after = stream("noted");
        EventClient notes = stream("notes");
        for (int count = 1; count <= 3; count++) {
            execute("insert into notes values (" + (100 + count) + ", 'room 1')");
            assertThat(notes.next()).contains("\"count\":" + count);
        }
        assertThat(after.peek()).isNull();
        after.close();
        notes.close();
        execute("delete from notes where id >= 100");
    }

    @Test
    void changedRequirementsApplyToUnchangedFeeds() throws Exception {
        declare(NOTES + PARCELS + "  require-access: true\n");
        awaitRejection("the feed has neither roles nor a scope, but tidemark.require-access is set");
        assertOldFeedsServed("tidemark.require-access is set");
        declare(NOTES + PARCELS + "  require-indexes: true\n");
        awaitRejection("tidemark.require-indexes is set, but indexes are missing");
        assertOldFeedsServed("tidemark.require-indexes is set");
    }

    @Test
    void aRequestInProgressCompletesWithTheOldDeclaration() throws Exception {
        declare(NOTES + HELD);
        awaitFeeds("held", "notes");
        CompletableFuture<HttpResponse<String>> begun;
        try (Connection connection = connection();
                var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(7)");
            begun = DeployedServer.HTTP.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/api/held"))
                            .build(),
                    BodyHandlers.ofString());
            Await.until("the page is being read", () -> {
                var waiting =
                        statement.executeQuery("select 1 from pg_locks where locktype = 'advisory' and not granted");
                return waiting.next();
            });
            declare(NOTES);
            awaitFeeds("notes");
            assertProblem(server.get("/api/held"), 404, "unknown_feed");
        }
        HttpResponse<String> response = begun.get(20, TimeUnit.SECONDS);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JsonDocument.of(response.body()).getList("items")).hasSize(10);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            table: parcels  | table: parcel         | table (feeds.yaml:8): there is no table or view 'parcel'
            tidemark:       | tidemarks:            | no feed is declared
            feeds:          | feedz:                | there is no setting tidemark.feedz (feeds.yaml:2); the nearest name is feeds
            default-order:  | orders:               | orders is repeated; it is already in line 5
            orders: {newest | orders: {{newest      | is not valid YAML
            table: notes    | table: ${NO_SUCH}     | tidemark.feeds.notes.table (feeds.yaml:4) refers to ${NO_SUCH}, but there is no environment variable
            newest: id desc | newest: created desc  | orders.newest (feeds.yaml:5): there is no column 'created'
            """)
    void faultyDeclarationsAreRejected(String text, String replacement, String fault) throws Exception {
        declare((NOTES + PARCELS).replace(text, replacement));
        awaitRejection(fault);
        assertOldFeedsServed(fault);
    }

    @Test
    void aMissingFileChangesNoFeedsAndTheRejectionEndsWhenItReturns() throws Exception {
        Files.delete(directory.resolve("..data"));
        awaitRejection("there is no file");
        assertOldFeedsServed("there is no file");

        declare(NOTES + PARCELS);
        Await.until(
                "the rejection is over",
                () -> !server.getManagement("/q/health/ready").body().contains("reload.rejected"));
        assertThat(server.getManagement("/q/metrics").body()).contains("tidemark_feeds_reload_rejected 0.0");
        assertThat(items("/api/parcels")).hasSize(10);
    }

    /** A file whose content does not fit into a Java array. */
    @Test
    void aHugeFileIsNotRead() throws Exception {
        Path version = Files.createDirectory(directory.resolve("..huge"));
        try (RandomAccessFile sparse =
                new RandomAccessFile(version.resolve("feeds.yaml").toFile(), "rw")) {
            sparse.setLength(3L << 30);
        }
        publish(version);
        awaitRejection("it is larger than 3 MB");
        assertOldFeedsServed("it is larger than 3 MB");
    }

    /** A named pipe: reading it would block until somebody writes to it. */
    @Test
    void aPipeIsNotRead() throws Exception {
        Path version = Files.createDirectory(directory.resolve("..pipe"));
        Process made = new ProcessBuilder("mkfifo", version + "/feeds.yaml").start();
        assertThat(made.waitFor()).isZero();
        publish(version);
        awaitRejection("is neither a file nor a directory");
        assertOldFeedsServed("is neither a file nor a directory");
    }

    /** Waits for both reports of a rejection: readiness reports it just before the log does. */
    private static void awaitRejection(String fault) {
        Await.until(
                "readiness reports " + fault,
                () -> server.getManagement("/q/health/ready").body().contains(fault));
        Await.until("the log reports " + fault, () -> server.log().stream()
                .anyMatch(line -> line.contains("The changed declarations are rejected") && line.contains(fault)));
    }

    private static void assertOldFeedsServed(String fault) throws Exception {
        HttpResponse<String> readiness = server.getManagement("/q/health/ready");
        assertThat(readiness.statusCode()).isEqualTo(200);
        assertThat(readiness.body()).contains(fault);
        assertThat(server.getManagement("/q/metrics").body()).contains("tidemark_feeds_reload_rejected 1.0");
        assertThat(items("/api/notes")).hasSize(20);
        assertThat(items("/api/parcels")).hasSize(10);
    }

    /**
     * Replaces the file as the kubelet does: a new symbolic link to another directory is renamed and so replaces the
     * old link.
     */
    private static void declare(String yaml) throws IOException {
        Path version = Files.createDirectory(directory.resolve("..version" + versions++));
        Files.writeString(version.resolve("feeds.yaml"), yaml);
        publish(version);
    }

    private static void publish(Path version) throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), version.getFileName());
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void awaitFeeds(String... names) {
        Await.until("the feeds are " + List.of(names), () -> JsonDocument.of(
                        server.get("/api").body())
                .getList("feeds.name")
                .equals(List.of(names)));
    }

    private static EventClient stream(String feed) throws Exception {
        String top =
                JsonDocument.of(server.get("/api/" + feed + "?limit=1").body()).getString("cursors.top");
        EventClient stream = EventClient.open(server.port(), "/api/" + feed + "/fresh?cursor=" + top, "");
        assertThat(stream.next()).contains("\"count\":0");
        return stream;
    }

    /** @return the path and query string of the next page */
    private static String nextPageTarget(String target) throws Exception {
        return target + "&cursor=" + JsonDocument.of(server.get(target).body()).getString("next_cursor");
    }

    private static List<Object> items(String target) throws Exception {
        return JsonDocument.of(server.get(target).body()).getList("items");
    }

    private static void assertProblem(HttpResponse<String> response, int status, String code) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(JsonDocument.of(response.body()).getString("code")).isEqualTo(code);
    }

    private static Connection connection() throws SQLException {
        return DriverManager.getConnection("jdbc:" + database, "postgres", "postgres");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = connection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
