package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.local.PgBouncer;
import dev.tidemark.local.TestPostgres;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The deployed server reads over PgBouncer, as an ordinary role. */
@Timeout(300)
@Slow
class PoolerIT {

    private static final String ROLE = "pooled";

    @TempDir
    Path directory;

    private String database;

    @BeforeEach
    void makeTable() throws SQLException {
        database = TestPostgres.newDatabase();
        execute("do $$ begin create role pooled login; exception when duplicate_object then end $$");
        execute("create table things (id bigint primary key, name text not null)");
        execute("insert into things select i, 'thing ' || i from generate_series(1, 500) i");
        execute("grant select on things to pooled");
    }

    private void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private DeployedServer start(PgBouncer pooler) throws Exception {
        Path feeds = Files.writeString(directory.resolve("feeds.yaml"), """
                tidemark:
                  feeds:
                    things:
                      table: public.things
                      orders: {newest: id desc, name: "name, id"}
                      default-order: newest
                      delta: true
                """);
        return new DeployedServer(Map.of(
                "QUARKUS_DATASOURCE_REACTIVE_URL", pooler.url(),
                "QUARKUS_DATASOURCE_USERNAME", ROLE,
                "QUARKUS_CONFIG_LOCATIONS", feeds.toString()));
    }

    @Test
    void everythingWorksOverAPoolerInSessionMode() throws Exception {
        try (PgBouncer pooler = PgBouncer.start(database, ROLE, "pool_mode = session", "default_pool_size = 100");
                DeployedServer server = start(pooler).awaitReady()) {
            List<Long> walked = new ArrayList<>();
            JsonDocument page = get(server, "/api/things?limit=100");
            String moment = page.getString("moment");
            add(page, walked);
            while (page.getBoolean("has_more")) {
                page = get(server, "/api/things?limit=100&cursor=" + page.getString("next_cursor"));
                add(page, walked);
            }
            assertThat(walked)
                    .isEqualTo(LongStream.rangeClosed(1, 500)
                            .mapToObj(id -> 501 - id)
                            .toList());
            assertThat(get(server, "/api/things?limit=100&order=name").getList("items.id"))
                    .hasSize(100)
                    .startsWith("1", "10", "100");

            HttpRequest live = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + server.port() + "/api/things/live?limit=5"))
                    .build();
            HttpResponse<InputStream> stream = DeployedServer.HTTP.send(live, BodyHandlers.ofInputStream());
            try (var events = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                awaitLine(events, "thing 500");
                execute("insert into things values (501, 'new thing')");
                awaitLine(events, "new thing");
            }
            assertThat(get(server, "/api/things?limit=100&since=" + moment).getString("items"))
                    .contains("new thing");

            HttpResponse<String> export = server.get("/api/things", "Accept", "application/x-ndjson");
            assertThat(export.statusCode()).as(export.body()).isEqualTo(200);
            assertThat(export.body()).contains("thing 500", "new thing");
            assertThat(server.log()).noneMatch(line -> line.contains("cannot be used"));
        }
    }

    @Test
    void aPoolerInTransactionModeStopsTheStart() throws Exception {
        try (PgBouncer pooler = PgBouncer.start(database, ROLE, "pool_mode = transaction");
                DeployedServer server = start(pooler)) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            assertThat(server.log()).anySatisfy(line -> assertThat(line)
                    .contains("Tidemark cannot start because of the database", "pool_mode = session"));
        }
    }

    private static void add(JsonDocument page, List<Long> ids) {
        page.<String>getList("items.id").stream().map(Long::valueOf).forEach(ids::add);
    }

    private static void awaitLine(BufferedReader events, String part) throws Exception {
        String line;
        do {
            line = events.readLine();
            assertThat(line).as("the stream has ended before " + part).isNotNull();
        } while (!line.contains(part));
    }

    private static JsonDocument get(DeployedServer server, String target) throws Exception {
        HttpResponse<String> page = server.get(target);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return JsonDocument.of(page.body());
    }
}
