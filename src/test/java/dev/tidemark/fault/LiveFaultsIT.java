package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.client.KeptList;
import dev.tidemark.client.LiveEvent;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lists of one page and of many, which are followed while others write, and while PostgreSQL or the server fails.
 * After the repair, each list is the beginning of the database's, and at no time it has held an item twice. The time
 * to recover is printed.
 */
@Order(4)
@Timeout(180)
@Slow
class LiveFaultsIT {

    private static final Duration OUTAGE = Soak.isOn() ? Duration.ofSeconds(20) : Duration.ofSeconds(2);
    private static final Retry QUICK_RETRY =
            new Retry(Integer.MAX_VALUE, Duration.ofMillis(20), Duration.ofMillis(500), Duration.ofSeconds(5));
    private static final ObjectMapper JACKSON = new ObjectMapper();

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

    /**
     * Starts the server on the port that it had, if it had one. While it was stopped, a client can have been given
     * this port.
     */
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
    void followedListsSurvive(Fault fault) throws Exception {
        try (Watched page = new Watched(1);
                Watched pages = new Watched(30)) {
            page.awaitBeginningOf(rows());
            pages.awaitBeginningOf(rows());
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
            page.awaitBeginningOf(rows);
            pages.awaitBeginningOf(rows);
            System.out.printf(
                    "FAULT followed lists, %s: true %d ms after the repair%n",
                    fault, Duration.ofNanos(System.nanoTime() - repaired).toMillis());
            page.assertNoneHeldTwice();
            pages.assertNoneHeldTwice();
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

    private static List<String> rows(List<JsonNode> things) {
        return things.stream()
                .map(thing -> thing.get("id").asText() + " " + thing.get("note").asText())
                .toList();
    }

    /** A list that is followed, and all states that it has had. */
    private static final class Watched implements AutoCloseable {

        private final KeptList<JsonNode> list;
        private final Stream<LiveEvent> events;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final ConcurrentLinkedQueue<List<String>> states = new ConcurrentLinkedQueue<>();

        Watched(int pages) {
            list = TidemarkClient.of(URI.create("http://localhost:" + port))
                    .timeout(Duration.ofSeconds(2))
                    .retry(QUICK_RETRY)
                    .<JsonNode>feed("things", JACKSON::readTree)
                    .limit(20)
                    .keep(thing -> thing.get("id").asText());
            list.refresh();
            for (int page = 1; page < pages; page++) {
                list.loadMore();
            }
            events = list.events();
            new Thread(this::follow).start();
        }

        private void follow() {
            try {
                events.forEach(event -> {
                    list.apply(event);
                    states.add(rows(list.items()));
                });
                end.complete(null);
            } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        }

        void awaitBeginningOf(List<String> all) {
            try {
                Await.until("the list is the beginning of the table", () -> {
                    List<String> part = rows(list.items());
                    return end.isDone()
                            || !states.isEmpty()
                                    && !part.isEmpty()
                                    && all.subList(0, Math.min(part.size(), all.size()))
                                            .equals(part)
                                    && part.size() < all.size() == list.hasMore();
                });
            } catch (AssertionError e) {
                throw new AssertionError(rows(list.items()) + "\nis no beginning of " + all, e);
            }
            assertThat(end).isNotDone();
        }

        void assertNoneHeldTwice() {
            assertThat(states).isNotEmpty().allSatisfy(rows -> assertThat(
                            rows.stream().map(row -> row.split(" ")[0]))
                    .doesNotHaveDuplicates());
        }

        @Override
        public void close() {
            events.close();
            end.join();
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
            // Half of the writes meet both lists, the others only the long one.
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
