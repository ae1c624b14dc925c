package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.client.LiveList;
import dev.tidemark.client.LivePolicy;
import dev.tidemark.client.LiveState;
import dev.tidemark.client.PageStart;
import dev.tidemark.client.Retry;
import dev.tidemark.client.TidemarkClient;
import dev.tidemark.local.DedicatedPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Live lists at the start and in the middle of a feed, while others write, and while PostgreSQL or the server fails. After
 * the repair, each list is a part of the database's, and at no time it has shown an item twice. The time to recover is
 * printed.
 */
@Order(4)
@Timeout(180)
@Slow
class LiveFaultsIT {

    private static final Duration OUTAGE = Soak.isOn() ? Duration.ofSeconds(20) : Duration.ofSeconds(2);
    private static final Retry QUICK_RETRY =
            new Retry(Integer.MAX_VALUE, Duration.ofMillis(20), Duration.ofMillis(500), Duration.ofSeconds(5));
    private static final ObjectMapper JACKSON = new ObjectMapper();

    /** Never deleted or moved. */
    private static final String MIDDLE = "480";

    @TempDir
    static Path directory;

    private static FaultSetup setup;
    private static DedicatedPostgres postgres;

    /** A server with a port that it also has after a restart. */
    private static DeployedServer server;

    private static int port;

    enum Fault {
        KILLED_POSTGRES {
            @Override
            void begin() throws Exception {
                postgres.kill();
            }

            @Override
            void end() throws Exception {
                postgres.start();
            }
        },
        RESTARTED_POSTGRES {
            @Override
            void begin() throws Exception {
                postgres.stop();
            }

            @Override
            void end() throws Exception {
                postgres.start();
            }
        },
        FROZEN_POSTGRES {
            @Override
            void begin() throws Exception {
                postgres.freeze();
            }

            @Override
            void end() throws Exception {
                postgres.thaw();
            }
        },
        TERMINATED_SESSIONS {
            @Override
            void begin() throws Exception {
                postgres.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'");
            }

            @Override
            void end() throws Exception {
                begin();
            }
        },
        RESTARTED_SERVER {
            @Override
            void begin() {
                server.close();
            }

            @Override
            void end() throws Exception {
                startServer();
            }
        };

        abstract void begin() throws Exception;

        abstract void end() throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        String key = Base64.getEncoder().encodeToString(new byte[64]);
        setup = new FaultSetup(directory, Map.of("TIDEMARK_CURSOR_KEYS", key), "-Xmx128m");
        postgres = setup.postgres;
        setup.server.close();
        startServer();
        port = server.port();
    }

    /** Starts the server on the port that it had, if it had one. While it was stopped, a client can have been given this port. */
    private static void startServer() throws Exception {
        Map<String, String> settings = new HashMap<>(setup.settings);
        settings.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        server = new DeployedServer(settings, "-Xmx128m");
        while (server.findsItsPortTaken()) {
            server = new DeployedServer(settings, "-Xmx128m");
        }
        server.awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        setup.close();
    }

    @ParameterizedTest
    @EnumSource
    void liveListsSurvive(Fault fault) throws Exception {
        try (Watched first = new Watched(PageStart.first());
                Watched middle = new Watched(PageStart.aroundId(MIDDLE))) {
            first.awaitPartOf(rows());
            middle.awaitPartOf(rows());
            long repaired;
            try (Writer writer = new Writer()) {
                writer.awaitWrites();
                fault.begin();
                try {
                    Thread.sleep(OUTAGE.toMillis());
                } finally {
                    fault.end();
                }
                repaired = System.nanoTime();
                writer.awaitWrites();
            }
            List<String> rows = rows();
            first.awaitPartOf(rows);
            middle.awaitPartOf(rows);
            System.out.printf(
                    "FAULT live lists, %s: true %d ms after the repair%n",
                    fault, Duration.ofNanos(System.nanoTime() - repaired).toMillis());
            first.assertNoneShownTwice();
            middle.assertNoneShownTwice();
        }
    }

    private static List<String> rows() throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = postgres.connect();
                ResultSet result = connection
                        .createStatement()
                        .executeQuery("select id || ' ' || note from things order by at desc, id desc")) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    private static List<String> rows(LiveState<JsonNode> state) {
        return state.values().stream()
                .map(thing -> thing.get("id").asText() + " " + thing.get("note").asText())
                .toList();
    }

    /** A live list, and all states that it has had. */
    private static final class Watched implements Flow.Subscriber<LiveState<JsonNode>>, AutoCloseable {

        private final LiveList<JsonNode> list;
        private final ConcurrentLinkedQueue<List<String>> states = new ConcurrentLinkedQueue<>();

        Watched(PageStart start) {
            list = TidemarkClient.of(URI.create("http://localhost:" + port))
                    .timeout(Duration.ofSeconds(2))
                    .retry(QUICK_RETRY)
                    .<JsonNode>feed("things", JACKSON::readTree)
                    .limit(20)
                    .live(thing -> thing.get("id").asText())
                    .from(start)
                    .policy(LivePolicy.all())
                    .deleted(LiveList.Deleted.REMOVE)
                    .retry(QUICK_RETRY)
                    .open();
            list.subscribe(this);
        }

        void awaitPartOf(List<String> all) {
            try {
                Await.until("the list is a part of the table", () -> {
                    LiveState<JsonNode> state = list.state();
                    List<String> part = rows(state);
                    int start = Collections.indexOfSubList(all, part);
                    return !part.isEmpty()
                            && start >= 0
                            && start > 0 == state.hasPrev()
                            && start + part.size() < all.size() == state.hasMore();
                });
            } catch (AssertionError e) {
                throw new AssertionError(list.state() + "\nis no part of " + all, e);
            }
        }

        void assertNoneShownTwice() {
            assertThat(states).isNotEmpty().allSatisfy(rows -> assertThat(
                            rows.stream().map(row -> row.split(" ")[0]))
                    .doesNotHaveDuplicates());
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveState<JsonNode> state) {
            states.add(rows(state));
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {
            // The list is closed.
        }

        @Override
        public void close() {
            list.close();
        }
    }

    /** Writes as long as the database is there. */
    private static final class Writer implements AutoCloseable {

        private final Random random = Seed.random();
        private final Thread thread = new Thread(this::write);
        private final AtomicInteger writes = new AtomicInteger();
        private volatile boolean closed;

        Writer() {
            thread.start();
        }

        private void write() {
            while (!closed) {
                try {
                    Thread.sleep(10);
                    postgres.run(randomWrite());
                    writes.incrementAndGet();
                } catch (SQLException away) {
                    // Tries again.
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        void awaitWrites() {
            int enough = writes.get() + 20;
            Await.until("rows are written", () -> writes.get() >= enough);
        }

        private String randomWrite() {
            // Half of the writes meet the list at the start, the others the one in the middle, on both sides of its
            // anchor.
            int id = random.nextInt(20) + (random.nextBoolean() ? 981 : random.nextBoolean() ? 460 : 481);
            String at = "'2026-01-01'::timestamptz + " + id / 3 + " * interval '1 second'";
            return switch (random.nextInt(4)) {
                case 0 -> "insert into things values (" + id + ", " + at + ") on conflict do nothing";
                case 1 -> "update things set note = 'note " + random.nextInt() + "' where id = " + id;
                case 2 ->
                    "update things set at = " + at + " + " + random.nextInt(9) + " * interval '1 second' where id = "
                            + id;
                default -> "delete from things where id = " + id;
            };
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }
}
