package dev.tidemark.model;

import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.local.TestPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scrolls through lists of the deployed server while others write, also in transactions that commit late, and lets the
 * model {@code Scroll} judge each history. A history has one line of JSON for each step.
 */
@Slow
class ScrollTraceIT {

    private static final int IDS = 6;
    private static final int KEYS = 3;
    private static final int LIMIT = 2;

    /** As in the model: the key of a row that does not exist, and of a row without a value. */
    private static final int ABSENT = -1;

    private static final int NULL = 99;

    /** The clock of the model when it starts. */
    private static final int FIRST_NOW = 2;

    private static final String DATABASE = TestPostgres.newDatabase();
    private static DeployedServer server;

    @TempDir
    static Path directory;

    @BeforeAll
    static void start() throws Exception {
        try (Connection connection = connect()) {
            connection.createStatement().execute("""
                    create table marks (id int primary key, at timestamptz);
                    create index on marks (at, id)""");
        }
        Map<String, String> settings = new HashMap<>();
        settings.put("quarkus.datasource.reactive.url", DATABASE);
        settings.put("quarkus.datasource.username", "postgres");
        for (String feed : List.of("still", "live")) {
            settings.put("tidemark.feeds." + feed + ".table", "marks");
            settings.put("tidemark.feeds." + feed + ".orders.at", "at");
        }
        settings.put("tidemark.feeds.live.live-orders", "at");
        server = DeployedServer.withConfigFile(settings).awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theModelAcceptsRealScrollsAndRejectsThemWithOneStepAltered() throws Exception {
        Trace.judge(
                directory,
                "Scroll",
                "Ids = " + Trace.set(1, IDS) + " Keys = " + Trace.set(0, KEYS - 1) + " Changes = 1000 Limit = " + LIMIT
                        + " Longest = 1000",
                Soak.times(2),
                (number, random) -> scroll(number % 2 == 1, random),
                ScrollTraceIT::alterOnePage);
    }

    /** Scrolls to the end, with writes between the pages. Returns the history. */
    private static List<JsonObject> scroll(boolean isLive, Random random) throws Exception {
        List<JsonObject> history = new ArrayList<>();
        try (Writers writers = new Writers(isLive, random, history)) {
            JsonObject page = page(isLive ? "live" : "still", null, history);
            writers.shown.addAll(ids(page));
            while (page.getBoolean("has_more")) {
                for (int writes = random.nextInt(3); writes > 0; writes--) {
                    writers.writeOrCommit();
                }
                page = page(isLive ? "live" : "still", page.getString("next_cursor"), history);
                writers.shown.addAll(ids(page));
            }
        }
        return history;
    }

    private static JsonObject page(String feed, String cursor, List<JsonObject> history) throws Exception {
        String target = "/api/" + feed + "?limit=" + LIMIT + (cursor == null ? "" : "&cursor=" + cursor);
        JsonObject page = new JsonObject(server.get(target).body());
        history.add(new JsonObject()
                .put("kind", "page")
                .put("items", new JsonArray(ids(page)))
                .put("more", page.getBoolean("has_more"))
                .put("prev", page.getBoolean("has_prev")));
        return page;
    }

    private static List<Integer> ids(JsonObject page) {
        return page.getJsonArray("items").stream()
                .map(item -> ((JsonObject) item).getInteger("id"))
                .toList();
    }

    /** Returns the history with another item, or another flag, in one of its pages. */
    private static List<JsonObject> alterOnePage(List<JsonObject> history, Random random) {
        List<JsonObject> altered = new ArrayList<>(history);
        List<Integer> pages = IntStream.range(0, history.size())
                .filter(n -> history.get(n).getString("kind").equals("page"))
                .boxed()
                .toList();
        int at = pages.get(random.nextInt(pages.size()));
        JsonObject page = history.get(at).copy();
        switch (random.nextInt(3)) {
            case 0 -> page.put("more", !page.getBoolean("more"));
            case 1 -> page.put("prev", !page.getBoolean("prev"));
            default -> {
                JsonArray items = page.getJsonArray("items");
                if (items.isEmpty()) {
                    items.add(1);
                } else {
                    items.remove(0);
                }
            }
        }
        altered.set(at, page);
        return altered;
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:" + DATABASE, "postgres", "postgres");
    }

    /** Writes rows as the model does. Each row has a connection of its own, so that it can be committed late. */
    private static final class Writers implements AutoCloseable {

        final List<Integer> shown = new ArrayList<>();
        private final boolean isLive;
        private final Random random;
        private final List<JsonObject> history;
        private final List<Integer> table = new ArrayList<>();
        private final Map<Integer, Connection> open = new HashMap<>();
        private final Map<Integer, Integer> written = new HashMap<>();
        private int now = FIRST_NOW;

        Writers(boolean isLive, Random random, List<JsonObject> history) throws SQLException {
            this.isLive = isLive;
            this.random = random;
            this.history = history;
            try (Connection connection = connect()) {
                connection.createStatement().execute("truncate marks");
                for (int id = 1; id <= IDS; id++) {
                    table.add(choose(Stream.of(0, 1, 2, NULL, ABSENT)));
                    write(connection, id, table.get(id - 1));
                }
            }
            history.add(new JsonObject()
                    .put("kind", "list")
                    .put("live", isLive)
                    .put("table", new JsonArray(List.copyOf(table))));
        }

        private int choose(Stream<Integer> keys) {
            List<Integer> all = keys.toList();
            return all.get(random.nextInt(all.size()));
        }

        /** Commits a row that is open, or writes a row, as the model allows it. */
        void writeOrCommit() throws SQLException {
            int id = 1 + random.nextInt(IDS);
            if (open.containsKey(id)) {
                Connection connection = open.remove(id);
                connection.commit();
                connection.close();
                table.set(id - 1, written.remove(id));
                history.add(new JsonObject().put("kind", "commit").put("id", id));
                return;
            }
            int before = table.get(id - 1);
            if (before == ABSENT && shown.contains(id)) {
                return;
            }
            Stream<Integer> keys =
                    isLive && before != ABSENT ? Stream.of(now, ABSENT) : Stream.of(0, 1, 2, NULL, ABSENT, now);
            int key = choose(keys.filter(other -> other != before));
            Connection connection = connect();
            connection.setAutoCommit(false);
            write(connection, id, key);
            open.put(id, connection);
            written.put(id, key);
            now++;
            history.add(new JsonObject().put("kind", "write").put("id", id).put("key", key));
        }

        private static void write(Connection connection, int id, int key) throws SQLException {
            if (key == ABSENT) {
                connection.createStatement().execute("delete from marks where id = " + id);
                return;
            }
            try (PreparedStatement upsert = connection.prepareStatement(
                    "insert into marks values (?, timestamptz '2026-01-01 00:00:00Z' + ? * interval '1 second')"
                            + " on conflict (id) do update set at = excluded.at")) {
                upsert.setInt(1, id);
                upsert.setObject(2, key == NULL ? null : key, Types.INTEGER);
                upsert.execute();
            }
        }

        /** Rolls back what is still open. */
        @Override
        public void close() throws SQLException {
            for (Connection connection : open.values()) {
                connection.rollback();
                connection.close();
            }
        }
    }
}
