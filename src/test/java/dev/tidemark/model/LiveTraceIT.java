package dev.tidemark.model;

import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.live.WindowCopy;
import dev.tidemark.local.TestPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows a live window of the deployed server with several clients while rows are inserted, edited, moved, and
 * deleted, and lets the model {@code Live} judge what each client holds after each event. A history has one line of
 * JSON for each step.
 */
@Slow
class LiveTraceIT {

    private static final int IDS = 4;
    private static final int CLIENTS = 3;
    private static final int ROUNDS = 8;

    private static final String DATABASE = TestPostgres.newDatabase();
    private static DeployedServer server;

    @TempDir
    static Path directory;

    @BeforeAll
    static void start() throws Exception {
        try (Connection connection = connect()) {
            connection.createStatement().execute("""
                    create table tasks (id int primary key, place float not null, version int not null);
                    create index on tasks (place, id);
                    create function tidemark_notify() returns trigger language plpgsql as $$ begin
                        perform pg_notify('tidemark', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME); return null; end $$;
                    create trigger tidemark_notify after insert or update or delete or truncate on tasks
                        for each statement execute function tidemark_notify()""");
        }
        server = DeployedServer.withConfigFile(Map.of(
                        "quarkus.datasource.reactive.url", DATABASE,
                        "quarkus.datasource.username", "postgres",
                        "tidemark.feeds.tasks.table", "tasks",
                        "tidemark.feeds.tasks.orders.place", "place",
                        "tidemark.feeds.tasks.delta", "true"))
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theModelAcceptsRealWindowsAndRejectsThemWithOneStepAltered() throws Exception {
        Trace.judge(
                directory,
                "Live",
                "Ids = " + Trace.set(1, IDS) + " Clients = " + Trace.set(1, CLIENTS) + " Writes = 1000 Losses = 0",
                Soak.times(2),
                (number, random) -> follow(random),
                LiveTraceIT::alterOneEvent);
    }

    /** Clients join between the writes, and all hold the list before the next writes. */
    private static List<JsonObject> follow(Random random) throws Exception {
        List<JsonObject> history = new ArrayList<>();
        List<Client> clients = new ArrayList<>();
        try (Table table = new Table(random, history)) {
            for (int round = 0; round < ROUNDS; round++) {
                if (clients.size() < CLIENTS && (round == 0 || random.nextBoolean())) {
                    clients.add(new Client(clients.size() + 1, random.nextBoolean(), history));
                }
                // Writes of the same row could lead back to the list that the clients hold.
                int id = 1 + random.nextInt(IDS);
                table.write(id);
                if (random.nextBoolean()) {
                    table.write(1 + id % IDS);
                }
                for (Client client : clients) {
                    client.readUntilItHolds(table);
                }
            }
        } finally {
            clients.forEach(Client::close);
        }
        return history;
    }

    /** Returns the history with another list, or another kind of event, at one event. */
    private static List<JsonObject> alterOneEvent(List<JsonObject> history, Random random) {
        List<JsonObject> altered = new ArrayList<>(history);
        List<Integer> events = IntStream.range(0, history.size())
                .filter(n -> history.get(n).getString("kind").equals("event"))
                .boxed()
                .toList();
        int at = events.get(random.nextInt(events.size()));
        JsonObject event = history.get(at).copy();
        JsonArray keys = event.getJsonArray("keys");
        JsonArray versions = event.getJsonArray("versions");
        if (keys.isEmpty() || random.nextInt(3) == 0) {
            event.put("event", event.getString("event").equals("page") ? "change" : "page");
        } else if (random.nextBoolean()) {
            // No item has had this version.
            versions.set(random.nextInt(versions.size()), 3);
        } else {
            int twice = random.nextInt(keys.size());
            keys.add(keys.getValue(twice));
            versions.add(versions.getValue(twice));
        }
        altered.set(at, event);
        return altered;
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:" + DATABASE, "postgres", "postgres");
    }

    private record Item(int id, int version) {}

    private static Item item(JsonObject json) {
        return new Item(json.getInteger("id"), json.getInteger("version"));
    }

    private static JsonObject step(String kind, List<Item> list) {
        return new JsonObject()
                .put("kind", kind)
                .put("keys", new JsonArray(list.stream().map(Item::id).toList()))
                .put("versions", new JsonArray(list.stream().map(Item::version).toList()));
    }

    private static final class Client implements AutoCloseable {

        private final int number;
        private final List<JsonObject> history;
        private final WindowCopy copy = new WindowCopy("id");
        private final EventClient stream;
        private boolean isFirst = true;

        /** @param holds whether the client has read the list before */
        Client(int number, boolean holds, List<JsonObject> history) throws Exception {
            this.number = number;
            this.history = history;
            String target = "/api/tasks/live?fields=id,version";
            List<Item> list = List.of();
            if (holds) {
                JsonObject page = new JsonObject(
                        server.get("/api/tasks?fields=id,version").body());
                list = page.getJsonArray("items").stream()
                        .map(item -> item((JsonObject) item))
                        .toList();
                list.forEach(item -> copy.hold(
                        Integer.toString(item.id()),
                        new JsonObject()
                                .put("id", item.id())
                                .put("version", item.version())
                                .encode()));
                target += "&since=" + page.getString("moment");
            }
            history.add(step("join", list).put("client", number));
            stream = EventClient.openAsync(server.port(), target).join();
        }

        void readUntilItHolds(Table table) {
            while (isFirst || !list().equals(table.list)) {
                EventClient.Event event = stream.nextEvent();
                copy.apply(event, isFirst);
                isFirst = false;
                history.add(step("event", list()).put("client", number).put("event", event.name()));
            }
        }

        private List<Item> list() {
            return copy.keys().stream()
                    .map(key -> item(new JsonObject(copy.item(key))))
                    .toList();
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    /** The table, which begins as in the model. */
    private static final class Table implements AutoCloseable {

        private final Random random;
        private final List<JsonObject> history;
        private final Connection connection = connect();
        private final Map<Integer, Double> places = new HashMap<>(Map.of(1, 0.0));
        private List<Item> list = List.of(new Item(1, 1));

        Table(Random random, List<JsonObject> history) throws SQLException {
            this.random = random;
            this.history = history;
            connection.createStatement().execute("truncate tasks; insert into tasks values (1, 0, 1)");
        }

        /** Deletes a row, or inserts or edits it, at any place. */
        void write(int id) throws SQLException {
            List<Item> others = new ArrayList<>(list);
            int version = 1;
            for (Item item : list) {
                if (item.id() == id) {
                    version = 3 - item.version();
                    others.remove(item);
                }
            }
            String statement;
            if (others.size() < list.size() && random.nextInt(3) == 0) {
                statement = "delete from tasks where id = " + id;
            } else {
                int at = random.nextInt(others.size() + 1);
                double before = at == 0 ? placeOf(others, 0) - 2 : placeOf(others, at - 1);
                double after = at == others.size() ? before + 2 : placeOf(others, at);
                double place = (before + after) / 2;
                places.put(id, place);
                others.add(at, new Item(id, version));
                statement = "insert into tasks values (" + id + ", " + place + ", " + version
                        + ") on conflict (id) do update set place = excluded.place, version = excluded.version";
            }
            connection.createStatement().execute(statement);
            list = List.copyOf(others);
            history.add(step("write", list));
        }

        private double placeOf(List<Item> items, int at) {
            return items.isEmpty() ? 0 : places.get(items.get(at).id());
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
