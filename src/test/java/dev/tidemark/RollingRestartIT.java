package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator changes the feeds, and starts a server with the same cursor keys before he stops the previous one. */
@Timeout(180)
@Slow
class RollingRestartIT {

    private static final String BEFORE = """
            tidemark:
              feeds:
                notes:
                  table: notes
                  columns: [id]
                  orders: {newest: at desc, room: room}
                  default-order: newest
                removed: {table: notes, orders: {newest: at desc}}
            """;

    /** Adds a column and a feed, lowers the limit, defines one order differently, and removes a feed. */
    private static final String AFTER = """
            tidemark:
              feeds:
                notes:
                  table: notes
                  columns: [id, room]
                  orders: {newest: at desc, room: room desc}
                  default-order: newest
                  limit: {default: 5, web-default: 5, max: 5}
                added: {table: notes, orders: {newest: at desc}}
            """;

    @TempDir
    Path directory;

    @Test
    void aScrollThroughARestartWithAnAddedColumnReturnsEveryRowOnce() throws Exception {
        String database = databaseWithNotes();
        try (DeployedServer before = start(database, "before.yaml", BEFORE)) {
            JsonDocument first = page(before, "limit=8");
            JsonDocument second = page(before, "limit=8&cursor=" + first.getString("next_cursor"));
            String byRoom = page(before, "order=room").getString("next_cursor");
            assertThat(second.getList("items.room")).containsOnlyNulls();

            try (DeployedServer after = start(database, "after.yaml", AFTER)) {
                JsonDocument third = page(after, "cursor=" + second.getString("next_cursor"));
                JsonDocument fourth = page(before, "limit=8&cursor=" + third.getString("next_cursor"));
                before.askToStop();
                before.awaitEnd();

                List<JsonDocument> pages = new ArrayList<>(List.of(first, second, third, fourth));
                JsonDocument last = fourth;
                while (last.getBoolean("has_more")) {
                    last = page(after, "cursor=" + last.getString("next_cursor"));
                    assertThat(last.getList("items.room")).doesNotContainNull();
                    pages.add(last);
                }
                assertThat(ids(pages)).isEqualTo(newestFirst(50, 1));

                JsonDocument back = page(after, "cursor=" + second.getString("prev_cursor"));
                assertThat(back.getList("items.id")).isEqualTo(newestFirst(47, 43));
                assertThat(problem(after, "/api/notes?order=room&cursor=" + byRoom))
                        .isEqualTo("cursor_mismatch");
                assertThat(problem(after, "/api/removed")).isEqualTo("unknown_feed");
                assertThat(after.get("/api/added").statusCode()).isEqualTo(200);
            }
        }
    }

    private static String databaseWithNotes() throws Exception {
        String database = TestPostgres.newDatabase();
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute("""
                    create table notes (id int primary key, at timestamptz not null, room text not null);
                    insert into notes
                        select i, '2026-01-01'::timestamptz + i / 3 * interval '1 second', 'room ' || i % 3
                        from generate_series(1, 50) as i
                    """);
        }
        return database;
    }

    private DeployedServer start(String database, String name, String feeds) throws IOException {
        Path file = Files.writeString(directory.resolve(name), feeds);
        return new DeployedServer(Map.of(
                        "QUARKUS_DATASOURCE_REACTIVE_URL",
                        database,
                        "QUARKUS_DATASOURCE_USERNAME",
                        "postgres",
                        "QUARKUS_CONFIG_LOCATIONS",
                        file.toString(),
                        "TIDEMARK_CURSOR_KEYS",
                        "QUFB".repeat(21) + "QQ=="))
                .awaitReady();
    }

    private static JsonDocument page(DeployedServer server, String query) throws Exception {
        HttpResponse<String> response = server.get("/api/notes?" + query);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonDocument.of(response.body());
    }

    private static String problem(DeployedServer server, String target) throws Exception {
        return JsonDocument.of(server.get(target).body()).getString("code");
    }

    private static List<Object> ids(List<JsonDocument> pages) {
        return pages.stream()
                .flatMap(page -> page.<Object>getList("items.id").stream())
                .toList();
    }

    private static List<Object> newestFirst(int from, int to) {
        return IntStream.iterate(from, id -> id >= to, id -> id - 1)
                .<Object>mapToObj(id -> id)
                .toList();
    }
}
