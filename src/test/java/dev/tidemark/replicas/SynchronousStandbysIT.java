package dev.tidemark.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.local.DedicatedPostgres;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The primary waits for two synchronous standbys. While one of them does not respond, the other one shows commits that
 * the primary does not show yet. Clients read such a commit, and then this standby stops responding too.
 */
@Timeout(900)
@Slow
class SynchronousStandbysIT {

    private static final int ROUNDS = Soak.isOn() ? 20 : 2;

    /** The number of scrolls, and of refreshes, that are in progress when the standby stops. */
    private static final int CLIENTS = 25;

    @TempDir
    static Path directory;

    private static NotesCluster cluster;
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        cluster = new NotesCluster(directory, "0");
        Map<String, String> settings = Map.of(
                // Long enough for a busy machine to thaw a standby and to read it again meanwhile.
                "tidemark.longest-wait", "15s",
                "tidemark.feeds.refreshed.table", "notes",
                "tidemark.feeds.refreshed.orders.newest", "written_at desc",
                "tidemark.feeds.refreshed.filters.id", "range",
                "tidemark.feeds.refreshed.delta", "true");
        server = cluster.startServer("1h", settings).awaitReady();
        cluster.primary.run("alter system set synchronous_standby_names = 'FIRST 2 (*)'");
        cluster.primary.run("select pg_reload_conf()");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** @param openTransactions the number of transactions that are open on the primary meanwhile, and have written */
    @ParameterizedTest
    @CsvSource({"remote_apply, 0", "remote_write, 0", "remote_apply, 3"})
    void noScrollAndNoRefreshGoesBackInTime(String synchronousCommit, int openTransactions) throws Exception {
        Random random = Seed.random();
        Map<String, Integer> outcomes = new TreeMap<>();
        List<Connection> open = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(2 * CLIENTS);
        try (Connection writer = cluster.primary.connect()) {
            for (int i = 0; i < openTransactions; i++) {
                open.add(openTransaction());
            }
            writer.createStatement().execute("set synchronous_commit = " + synchronousCommit);
            for (int round = 0; round < ROUNDS; round++) {
                playRound(writer, threads, round % 2 == 0, random, outcomes);
            }
        } finally {
            threads.shutdownNow();
            for (Connection connection : open) {
                connection.close();
            }
        }
        System.out.println(synchronousCommit + " with " + openTransactions + " open transactions: " + outcomes);
        assertThat(outcomes).doesNotContainKeys("scroll back in time", "refresh back in time");
        assertThat(outcomes)
                .containsKeys("scroll goes on", "refresh goes on", "scroll unavailable", "refresh unavailable");
    }

    private static Connection openTransaction() throws SQLException {
        Connection connection = cluster.primary.connect();
        connection.setAutoCommit(false);
        connection.createStatement().execute("insert into notes (written_at, body) values ('2000-01-01', 'open')");
        return connection;
    }

    /** @param ends whether the commit ends while the clients wait */
    private static void playRound(
            Connection writer, ExecutorService threads, boolean ends, Random random, Map<String, Integer> outcomes)
            throws Exception {
        awaitStandby(cluster.promptStandby);
        awaitStandby(cluster.lateStandby);
        DedicatedPostgres read = random.nextBoolean() ? cluster.promptStandby : cluster.lateStandby;
        DedicatedPostgres awaited = read == cluster.promptStandby ? cluster.lateStandby : cluster.promptStandby;
        long before = NotesCluster.noteCount(cluster.primary);
        awaited.freeze();
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> writePair(writer));
        List<Callable<String>> continuations = new ArrayList<>();
        try {
            Await.until("the standby shows the pair", () -> NotesCluster.noteCount(read) == before + 2);
            assertThat(NotesCluster.noteCount(cluster.primary)).isEqualTo(before);
            for (int i = 0; i < CLIENTS; i++) {
                continuations.add(startScroll(i));
                continuations.add(startRefresh(i));
            }
            read.freeze();
            List<Future<String>> results = new ArrayList<>();
            for (Callable<String> continuation : continuations) {
                results.add(threads.submit(continuation));
            }
            if (ends) {
                Await.until("it is unavailable", () -> NotesCluster.useOf(server, read)
                        .startsWith("unavailable"));
                awaited.thaw();
            }
            for (Future<String> result : results) {
                outcomes.merge(result.get(), 1, Integer::sum);
            }
        } finally {
            read.thaw();
            awaited.thaw();
        }
        commit.join();
    }

    private static void writePair(Connection writer) {
        try {
            writer.createStatement().execute("insert into notes (body) values ('first'), ('second')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the second note of the pair. The next page must begin with the first one. */
    private static Callable<String> startScroll(int client) {
        String list = "/api/counted?limit=1&id.gt=" + client;
        JsonObject page = pageWithPair(list);
        int second = id(page);
        return () -> outcome(
                "scroll",
                server.get(list + "&cursor=" + page.getString("next_cursor")),
                next -> id(next) == second - 1);
    }

    /** Reads the pair. A refresh must have it, too. */
    private static Callable<String> startRefresh(int client) {
        String list = "/api/refreshed?limit=2&id.gt=" + client;
        JsonObject page = pageWithPair(list);
        int second = id(page);
        return () -> outcome(
                "refresh", server.get(list + "&since=" + page.getString("moment")), next -> next.getJsonArray("keys")
                        .contains(Integer.toString(second)));
    }

    /** Requests a page until it shows the pair: while the standby that shows it seems silent, the primary is read. */
    private static JsonObject pageWithPair(String list) {
        AtomicReference<JsonObject> page = new AtomicReference<>();
        Await.until("the page shows the pair", () -> {
            HttpResponse<String> answer = server.get(list);
            page.set(new JsonObject(answer.body()));
            return answer.statusCode() == 200
                    && page.get()
                            .getJsonArray("items")
                            .getJsonObject(0)
                            .getString("body")
                            .equals("second");
        });
        return page.get();
    }

    private static int id(JsonObject page) {
        return Integer.parseInt(page.getJsonArray("items").getJsonObject(0).getString("id"));
    }

    private interface Check {
        boolean holds(JsonObject page);
    }

    private static String outcome(String kind, HttpResponse<String> response, Check check) {
        return switch (response.statusCode()) {
            case 200 -> kind + (check.holds(new JsonObject(response.body())) ? " goes on" : " back in time");
            case 503 -> kind + " unavailable";
            default -> throw new AssertionError(response.body());
        };
    }

    private static void awaitStandby(DedicatedPostgres host) {
        Await.until("it is a standby", () -> NotesCluster.useOf(server, host).startsWith("standby"));
    }
}
