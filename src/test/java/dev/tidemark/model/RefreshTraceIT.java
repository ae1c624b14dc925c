package dev.tidemark.model;

import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.local.DedicatedPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
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
 * Refreshes two pages of the deployed server while others write, in savepoints, late, and in transactions that abort,
 * and lets the model {@code Refresh} judge which items the server sends. A history has one line of JSON for each step.
 */
@Slow
class RefreshTraceIT {

    private static final int STEPS = 40;

    /** As in the model: the embedded row of both items. */
    private static final int AUTHOR = 8;

    @TempDir
    static Path directory;

    private static DedicatedPostgres postgres;
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        // Transactions of others would hold the horizon back, and the model has none.
        postgres = new DedicatedPostgres(directory, "autovacuum", "off");
        postgres.run("""
                create table authors (id int primary key, name int);
                create table cards (id int primary key, part int, author_id int, body int);
                create index on cards (part, id)""");
        Map<String, String> settings = new HashMap<>();
        settings.put("quarkus.datasource.reactive.url", "postgresql://localhost:" + postgres.port() + "/postgres");
        settings.put("quarkus.datasource.username", "postgres");
        settings.put("tidemark.feeds.cards.table", "cards");
        settings.put("tidemark.feeds.cards.orders.id", "id");
        settings.put("tidemark.feeds.cards.filters.part", "equals");
        settings.put("tidemark.feeds.cards.delta", "true");
        settings.put("tidemark.feeds.cards.embed.author.table", "authors");
        settings.put("tidemark.feeds.cards.embed.author.on.id", "author_id");
        settings.put("tidemark.feeds.cards.embed.author.columns", "name");
        server = DeployedServer.withConfigFile(settings).awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        postgres.close();
    }

    @Test
    void theModelAcceptsRealRefreshesAndRejectsThemWithOneStepAltered() throws Exception {
        Trace.judge(
                directory,
                "Refresh",
                "Ids = {1, 2} LastXid = 1000 Swaps = 0 Restores = 0",
                Soak.times(2),
                (number, random) -> refresh(random),
                RefreshTraceIT::alterOnePage);
    }

    private static List<JsonObject> refresh(Random random) throws Exception {
        List<JsonObject> history = new ArrayList<>();
        try (Writers writers = new Writers(random, history)) {
            String since = null;
            for (int step = 0; step < STEPS; step++) {
                for (int writes = random.nextInt(3); writes > 0; writes--) {
                    writers.beginOrEnd();
                }
                JsonObject first = page(1, since, history);
                for (int writes = random.nextInt(2); writes > 0; writes--) {
                    writers.beginOrEnd();
                }
                page(2, since, history);
                since = first.getString("moment");
            }
        }
        return history;
    }

    private static JsonObject page(int number, String since, List<JsonObject> history) throws Exception {
        String target = "/api/cards?part=" + number + (since == null ? "" : "&since=" + since);
        JsonObject page = new JsonObject(server.get(target).body());
        List<Integer> sent = page.getJsonArray("items").stream()
                .map(item -> ((JsonObject) item).getInteger("id"))
                .toList();
        history.add(new JsonObject()
                .put("kind", "page")
                .put("page", number)
                .put("keys", since == null ? new JsonArray(sent) : page.getJsonArray("keys"))
                .put("sent", new JsonArray(sent)));
        return page;
    }

    /** Returns the history with an item sent that was not, or the other way around, or without a key, in one page. */
    private static List<JsonObject> alterOnePage(List<JsonObject> history, Random random) {
        List<JsonObject> altered = new ArrayList<>(history);
        List<Integer> pages = IntStream.range(0, history.size())
                .filter(n -> history.get(n).containsKey("keys")
                        && !history.get(n).getJsonArray("keys").isEmpty())
                .boxed()
                .toList();
        int at = pages.get(random.nextInt(pages.size()));
        JsonObject page = history.get(at).copy();
        JsonArray keys = page.getJsonArray("keys");
        JsonArray sent = page.getJsonArray("sent");
        Object key = keys.getValue(random.nextInt(keys.size()));
        if (random.nextInt(3) == 0) {
            keys.remove(key);
            sent.remove(key);
        } else if (!sent.remove(key)) {
            sent.add(key);
        }
        altered.set(at, page);
        return altered;
    }

    /** Writes rows as the model does: one in each transaction, and no row in two transactions at once. */
    private static final class Writers implements AutoCloseable {

        private final Random random;
        private final List<JsonObject> history;
        private final Map<Integer, Connection> running = new HashMap<>();

        Writers(Random random, List<JsonObject> history) throws SQLException {
            this.random = random;
            this.history = history;
            postgres.run("""
                    truncate cards, authors;
                    insert into authors values (1, 0);
                    insert into cards values (1, 1, 1, 0), (2, 2, 1, 0)""");
        }

        void beginOrEnd() throws SQLException {
            int what = List.of(1, 2, AUTHOR).get(random.nextInt(3));
            Connection connection = running.remove(what);
            if (connection == null) {
                begin(what);
                return;
            }
            boolean commits = random.nextInt(4) > 0;
            try (connection) {
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            history.add(
                    new JsonObject().put("kind", commits ? "commit" : "abort").put("what", what));
        }

        private void begin(int what) throws SQLException {
            int page = what == 1 ? random.nextInt(3) : what == 2 ? 2 : 0;
            int sub = random.nextInt(2);
            Connection connection = postgres.connect();
            running.put(what, connection);
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                // Even a transaction that deletes nothing has an id in the model.
                statement.execute("select pg_current_xact_id()");
                if (sub == 1) {
                    statement.execute("savepoint s");
                }
                statement.execute(
                        what == AUTHOR
                                ? "update authors set name = name + 1"
                                : page == 0
                                        ? "delete from cards where id = " + what
                                        : "insert into cards values (" + what + ", " + page + ", 1, 0)"
                                                + " on conflict (id) do update"
                                                + " set part = excluded.part, body = cards.body + 1");
            }
            history.add(new JsonObject()
                    .put("kind", "begin")
                    .put("what", what)
                    .put("page", page)
                    .put("sub", sub));
        }

        /** Rolls back what is still running. */
        @Override
        public void close() throws SQLException {
            for (Connection connection : running.values()) {
                connection.rollback();
                connection.close();
            }
        }
    }
}
