package dev.tidemark.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.DeployedServer;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.local.DedicatedPostgres;
import dev.tidemark.refresh.ListRange.Order;
import dev.tidemark.refresh.ListRange.Place;
import dev.tidemark.refresh.Row.Key;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients keep parts of lists and refresh them while others write. The clients must miss nothing.
 *
 * <p>After each refresh, each item is compared with two reads of its table, one before the refresh and one after it.
 * The version of a row grows whenever a writer changes the row; the item's version must be neither less than in the
 * first read nor greater than in the second. Items that did not change between the reads must be listed. After some
 * refreshes, the writers are paused between two statements, with their transactions open. The clients then refresh
 * again, and their lists must equal what SQL reads.
 *
 * <p>Meanwhile, the 32-bit transaction ids of the database wrap around. To repeat a run, as far as the
 * scheduling of threads allows, set the system property {@code seed} to the seed that the run printed.
 *
 * <p>Each of these mutants of {@code SinceSql} fails here with any seed, and the first two also fail in {@link
 * RefreshAcrossHistoriesIT}:
 * <ul>
 * <li>A row counts as unchanged whenever {@code pg_visible_in_snapshot} is true for its {@code xmin} and the
 * snapshot of the moment: writes in savepoints and exception blocks are missed.
 * <li>The 32 bits of {@code xmin} are compared with those of the moment's horizon: all rows written just after the
 *     wraparound
 * are missed.
 * <li>The horizon is read by a separate statement after the page: commits between these two statements are missed.
 * </ul>
 */
@Timeout(1200)
@Slow
class RefreshModelIT {

    private static final int WRITERS = 5;
    private static final int CLIENTS = 3;
    private static final int ROWS = 250;
    private static final int ROUNDS = Soak.times(6);
    private static final long WRAPAROUND_TRANSACTION_ID = 3L << 32;

    @TempDir
    static Path directory;

    private static DedicatedPostgres postgres;
    private static DeployedServer server;

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Pause pause = new Pause();

    static LongStream seeds() {
        return LongStream.of(Seed.next());
    }

    @BeforeAll
    static void start() throws Exception {
        postgres = new DedicatedPostgres(directory, "autovacuum", "off", "max_prepared_transactions", "20");
        postgres.restartAtTransactionId(WRAPAROUND_TRANSACTION_ID - 1000);
        postgres.run(RefreshTables.createTablesSql() + RefreshTables.createViewSql());
        Map<String, String> settings = new TreeMap<>(RefreshTables.settings());
        settings.put("quarkus.datasource.reactive.url", "postgresql://localhost:" + postgres.port() + "/postgres");
        settings.put("quarkus.datasource.username", "postgres");
        settings.put("tidemark.recheck-interval", "1h");
        server = DeployedServer.withConfigFile(settings).awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
        postgres.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aRefreshedListMissesNothing(long seed) throws Exception {
        postgres.run("truncate notes, parts; " + RefreshTables.fillSql(ROWS) + "refresh materialized view copies");
        Random random = new Random(seed);
        List<RandomWriter> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new RandomWriter(postgres.connect(), random.nextLong(), pause, stopping, seed + "-" + i));
        }
        SchemaChanges changes = new SchemaChanges(postgres.connect(), random.nextLong(), pause, stopping);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(random.nextLong(), writers));
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> writing = new ArrayList<>();
            writers.forEach(writer -> writing.add(submit(threads, writer)));
            writing.add(submit(threads, changes));
            for (Future<?> client :
                    clients.stream().map(client -> submit(threads, client)).toList()) {
                client.get();
            }
            stopping.set(true);
            pause.runWithoutLongTransactions(() -> {
                for (Future<?> writer : writing) {
                    writer.get();
                }
            });
        } catch (Throwable failure) {
            server.log().stream().filter(line -> !line.contains("INFO")).forEach(System.out::println);
            throw failure;
        } finally {
            stopping.set(true);
            threads.shutdownNow();
        }
        System.out.println(
                "REFRESH seed " + seed + ": " + clients + " " + writers.get(0).counts() + " " + changes.counts());
    }

    /** The first failure ends all threads. */
    private Future<?> submit(ExecutorService threads, Pause.Work work) {
        return threads.submit(() -> {
            try {
                work.run();
            } catch (Throwable failure) {
                stopping.set(true);
                throw failure;
            }
            return null;
        });
    }

    /** A client, and a connection that reads the tables to compare them with the client's lists. */
    private final class Client implements Pause.Work {

        private final Random random;
        private final List<RandomWriter> writers;
        private final Connection database = postgres.connect();
        private int refreshes;
        private int keyCount;
        private int itemCount;

        Client(long seed, List<RandomWriter> writers) throws SQLException {
            this.random = new Random(seed);
            this.writers = writers;
        }

        @Override
        public void run() throws Exception {
            for (int round = 0; round < ROUNDS && !stopping.get(); round++) {
                double late = new double[] {0, 0, 0.1, 0.4}[random.nextInt(4)];
                writers.forEach(writer -> writer.setLateProbability(late));
                RefreshingClient client = new RefreshingClient(server, random);
                List<ListRange> ranges = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    ranges.add(client.load(range(), 1 + random.nextInt(200)));
                }
                for (int i = 0; i < 5; i++) {
                    pause.awaitTransactions(random.nextInt(60));
                    if (random.nextInt(4) == 0) {
                        client.refreshFirstPage(ranges.get(0));
                    }
                    refreshDuringWrites(client, ranges);
                    if (random.nextInt(3) == 0) {
                        pause.runBetweenStatements(() -> refreshAndCompare(client, ranges));
                    }
                    refreshes++;
                }
                keyCount += client.keyCount();
                itemCount += client.itemCount();
            }
        }

        private void refreshDuringWrites(RefreshingClient client, List<ListRange> ranges) throws Exception {
            List<Map<Key, Long>> before = new ArrayList<>();
            for (ListRange range : ranges) {
                before.add(range.allVersions(database));
            }
            client.refresh(ranges);
            for (int i = 0; i < ranges.size(); i++) {
                ListRange range = ranges.get(i);
                List<Row> list = client.list(range);
                Map<Key, Long> after = range.allVersions(database);
                for (Row row : list) {
                    assertThat(row.version())
                            .as("%s in %s", row, range)
                            .isBetween(
                                    before.get(i).getOrDefault(row.key(), 0L),
                                    after.getOrDefault(row.key(), Long.MAX_VALUE));
                }
                Map<Key, Long> unchanged = range.versionsInRange(database);
                unchanged.entrySet().retainAll(before.get(i).entrySet());
                // The partition of these rows may have been detached and attached again.
                unchanged.keySet().removeIf(Key::isFar);
                assertThat(list.stream().map(Row::key).collect(Collectors.toSet()))
                        .as("%s", range)
                        .containsAll(unchanged.keySet());
            }
        }

        private void refreshAndCompare(RefreshingClient client, List<ListRange> ranges) throws Exception {
            client.refresh(ranges);
            for (ListRange range : ranges) {
                assertThat(client.list(range)).as(range.toString()).isEqualTo(range.read(database));
                client.comparePages(range);
            }
        }

        private ListRange range() throws Exception {
            String table = List.of("notes", "parts", "copies").get(random.nextInt(3));
            Order order = Order.values()[random.nextInt(Order.values().length)];
            int least = random.nextInt(8);
            boolean filtered = random.nextInt(4) == 0;
            ListRange all = new ListRange(
                    table,
                    order,
                    filtered ? "&place.gte=" + least : "",
                    filtered ? "place >= " + least : "true",
                    false,
                    Optional.empty(),
                    Optional.empty());
            // A forward cursor of a live order skips items that were edited after the start of its scroll, so no range
            // of such an order starts at a cursor.
            return order == Order.EDITED || random.nextBoolean() ? all : randomPartOf(all);
        }

        /** A part of the list: below or above a page of the list. */
        private ListRange randomPartOf(ListRange all) throws Exception {
            RefreshingClient reader = new RefreshingClient(server, random);
            JsonNode page = reader.get(all.target() + "&limit=" + (1 + random.nextInt(99)));
            boolean backward = random.nextBoolean() && page.get("has_more").asBoolean();
            if (backward) {
                page = reader.get(all.target() + "&limit=1&cursor="
                        + page.get("next_cursor").asText());
            }
            JsonNode items = page.get("items");
            if (items.isEmpty()) {
                return all;
            }
            return new ListRange(
                    all.table(),
                    all.order(),
                    all.filter(),
                    all.condition(),
                    backward,
                    Optional.of(new Place(
                            page.at(backward ? "/cursors/top" : "/cursors/last").asText(),
                            Row.of(items.get(backward ? 0 : items.size() - 1)))),
                    Optional.empty());
        }

        @Override
        public String toString() {
            return refreshes + " refreshes, " + keyCount + " keys, " + itemCount + " items";
        }
    }
}
