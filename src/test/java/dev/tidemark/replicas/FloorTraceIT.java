package dev.tidemark.replicas;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.local.DedicatedPostgres;
import dev.tidemark.model.Trace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads first pages and a scroll from a primary and two standbys, of which one is late and the other stops replaying,
 * is killed, and is promoted, and lets the model {@code Floor} judge what the pages show. A history has one line of
 * JSON for each step.
 */
@Timeout(900)
@Slow
class FloorTraceIT {

    private static final int COMMITS = 5;
    private static final int STEPS = 30;

    @TempDir
    static Path directory;

    private static NotesCluster cluster;
    private static DeployedServer server;

    private final List<JsonObject> history = new ArrayList<>();

    /** The cursor behind the first row, with the floor of the last page of the scroll. */
    private String next = "";

    @BeforeAll
    static void start() throws Exception {
        cluster = new NotesCluster(directory, "200ms");
        cluster.primary.run("create table steps (id int primary key); grant select on steps to reader");
        server = cluster.startServer(
                        "1h", Map.of("tidemark.feeds.steps.table", "steps", "tidemark.feeds.steps.orders.oldest", "id"))
                .awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void theModelAcceptsRealReadsAndRejectsThemWithOneStepAltered() throws Exception {
        int runs = Soak.times(2);
        Trace.judge(
                directory,
                "Floor",
                "Commits = " + COMMITS + " Instances = {1} P = 1 A = 2 B = 3",
                runs,
                (number, random) -> read(random, number == runs - 1),
                FloorTraceIT::alterOnePage);
    }

    /**
     * Returns the history.
     *
     * @param promotes whether a standby is promoted before the last commit
     */
    private List<JsonObject> read(Random random, boolean promotes) throws Exception {
        history.clear();
        // The commits come behind two rows that are always there, so the place between these two stays the same.
        cluster.primary.run("delete from steps; insert into steps values (-1), (0)");
        for (DedicatedPostgres standby : List.of(cluster.promptStandby, cluster.lateStandby)) {
            Await.until("the standby has caught up", () -> ids(standby).equals(List.of(-1, 0)));
        }
        Await.until("the first row is read", () -> {
            Optional<JsonObject> first = get("/api/steps?limit=1");
            first.ifPresent(page -> next = page.getString("next_cursor"));
            return first.isPresent();
        });
        String otherClient = "/api/steps?cursor=" + next;
        int commits = 0;
        boolean isPaused = false;
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(7)) {
                case 0 -> {
                    if (commits < COMMITS - 1) {
                        commit(cluster.primary, ++commits);
                    }
                }
                case 1 -> {
                    cluster.promptStandby.run(
                            isPaused ? "select pg_wal_replay_resume()" : "select pg_wal_replay_pause()");
                    isPaused = !isPaused;
                }
                case 2 -> get("/api/steps").ifPresent(page -> addPage(page, true));
                // Standbys take turns, so another client's read changes which of them the scroll reads next.
                case 3 -> get(otherClient);
                default -> scroll();
            }
        }
        if (isPaused) {
            cluster.promptStandby.run("select pg_wal_replay_resume()");
        }
        Await.until("there is a page that can be altered", () -> {
            scroll();
            return pagesOfTheScroll(history).size() > 1;
        });
        if (promotes) {
            List<Integer> all = ids(cluster.primary);
            Await.until("the standby has caught up", () -> ids(cluster.promptStandby)
                    .equals(all));
            cluster.primary.stop();
            cluster.promptStandby.run("select pg_promote()");
            history.add(new JsonObject().put("kind", "promote"));
            scroll();
            commit(cluster.promptStandby, ++commits);
            Await.until("the new primary is read", () -> NotesCluster.useOf(server, cluster.promptStandby)
                    .equals("primary"));
            for (int i = 0; i < 5; i++) {
                scroll();
            }
        }
        return List.copyOf(history);
    }

    /**
     * Reads all rows behind the first one, and then the first one again, so that the next page begins at the same
     * place.
     */
    private void scroll() throws Exception {
        Optional<JsonObject> answer = get("/api/steps?cursor=" + next);
        if (answer.isEmpty()) {
            return;
        }
        addPage(answer.get(), false);
        String back = "/api/steps?limit=1&cursor=" + answer.get().getString("prev_cursor");
        Await.until("the page before is read", () -> {
            Optional<JsonObject> first = get(back);
            first.ifPresent(page -> next = page.getString("next_cursor"));
            return first.isPresent();
        });
        history.add(new JsonObject().put("kind", "back"));
    }

    /** Returns a page; nothing if no host could answer in time: a host counts as silent after less than a second. */
    private static Optional<JsonObject> get(String target) throws Exception {
        HttpResponse<String> answer = server.get(target);
        return answer.statusCode() == 503 || answer.statusCode() == 504
                ? Optional.empty()
                : Optional.of(new JsonObject(answer.body()));
    }

    private void addPage(JsonObject page, boolean isFirst) {
        List<Integer> seen = page.getJsonArray("items").stream()
                .map(item -> ((JsonObject) item).getInteger("id"))
                .filter(id -> id > 0)
                .toList();
        history.add(new JsonObject().put("kind", "page").put("first", isFirst).put("seen", new JsonArray(seen)));
    }

    private void commit(DedicatedPostgres to, int id) throws SQLException {
        to.run("insert into steps values (" + id + ")");
        for (String kind : List.of("begin", "commit", "show")) {
            history.add(new JsonObject().put("kind", kind));
        }
    }

    /**
     * Returns the history with one page that lacks what the page before it showed, or shows what was never written.
     */
    private static List<JsonObject> alterOnePage(List<JsonObject> history, Random random) {
        List<Integer> pages = pagesOfTheScroll(history);
        int choice = 1 + random.nextInt(pages.size() - 1);
        List<Object> seenBefore =
                history.get(pages.get(choice - 1)).getJsonArray("seen").stream().toList();
        JsonArray seen = seenBefore.isEmpty()
                ? new JsonArray(List.of(COMMITS + 1))
                : new JsonArray(seenBefore.subList(0, seenBefore.size() - 1));
        List<JsonObject> altered = new ArrayList<>(history);
        altered.set(pages.get(choice), history.get(pages.get(choice)).copy().put("seen", seen));
        return altered;
    }

    /** The steps at which the scroll got a page. */
    private static List<Integer> pagesOfTheScroll(List<JsonObject> history) {
        return IntStream.range(0, history.size())
                .filter(n -> history.get(n).getString("kind").equals("page")
                        && !history.get(n).getBoolean("first"))
                .boxed()
                .toList();
    }

    private static List<Integer> ids(DedicatedPostgres host) throws SQLException {
        try (Connection connection = host.connect();
                var rows = connection.createStatement().executeQuery("select id from steps order by id")) {
            List<Integer> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
            return ids;
        }
    }
}
