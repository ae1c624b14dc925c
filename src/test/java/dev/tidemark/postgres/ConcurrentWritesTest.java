package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.Walk.PageWithItems;
import io.vertx.sqlclient.Pool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * While others write, a forward scroll shows no item twice, and misses no item that stays in the list without moving.
 * Rows with even ids stay in the list and never move.
 */
@UsesTestDatabase
class ConcurrentWritesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int ROWS = 400;

    /** The number of runs for each order, which is larger with a {@code soak.factor}. */
    private static final int RUNS = Soak.times(6);

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS busy;
                CREATE TABLE busy (id bigint PRIMARY KEY, at timestamptz NOT NULL, score int, body text, gone boolean NOT NULL);
                CREATE INDEX ON busy (at DESC, id DESC);
                CREATE INDEX ON busy (score DESC NULLS LAST, id);
                """);
        DATABASE.run("INSERT INTO busy SELECT i, '2026-01-01'::timestamptz + (i / 7) * interval '1 second',"
                + " CASE WHEN i % 5 < 4 THEN i % 13 END, 'first', false FROM generate_series(1, " + ROWS + ") i");
    }

    static Stream<Arguments> runs() {
        return Stream.of("at desc", "at", "score desc nulls last, id", "score nulls first, at desc")
                .flatMap(order -> IntStream.range(0, RUNS).mapToObj(run -> Arguments.of(order, Seed.next())));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("runs")
    void noItemIsRepeatedOrLostDuringConcurrentWrites(String order, long seed) throws InterruptedException {
        Feed feed = DATABASE.feed("table", "busy", "orders.o", order, "visible", "NOT gone");
        Random random = new Random(seed);
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> writers = IntStream.range(0, 3)
                .mapToObj(i -> new Thread(() -> write(new Random(seed + i), stop)))
                .toList();
        writers.forEach(Thread::start);
        List<String> seen = new ArrayList<>();
        try {
            Walk walk = new Walk(DATABASE.reader(), feed, 1 + random.nextInt(20));
            PageWithItems read = walk.read(Optional.empty());
            seen.addAll(read.items());
            while (read.page().hasNext()) {
                read = walk.after(read.page());
                seen.addAll(read.items());
            }
        } finally {
            stop.set(true);
            for (Thread writer : writers) {
                writer.join();
            }
        }
        Set<String> distinct = new HashSet<>(seen);
        assertThat(seen).as("no item twice").hasSameSizeAs(distinct);
        assertThat(distinct)
                .as("no item lost")
                .containsAll(IntStream.rangeClosed(1, ROWS / 2)
                        .mapToObj(i -> Integer.toString(2 * i))
                        .toList());
    }

    /**
     * An id that was not used before, because a row that is inserted again with its old id at a new position would be
     * shown twice.
     */
    private static long freshId(Random random) {
        return 2L * (ROWS + random.nextInt(Integer.MAX_VALUE)) + 1;
    }

    /** Inserts, deletes, hides and shows rows with odd ids, and edits the bodies of all rows, but changes no keys. */
    private static void write(Random random, AtomicBoolean stop) {
        Pool pool = DATABASE.writePool();
        while (!stop.get()) {
            long id = 2L * random.nextInt(ROWS) + 1;
            String statement =
                    switch (random.nextInt(5)) {
                        case 0 ->
                            "INSERT INTO busy VALUES (" + freshId(random) + ", '2026-01-01'::timestamptz + "
                                    + random.nextInt(60)
                                    + " * interval '1 second', " + random.nextInt(13)
                                    + ", 'new', false) ON CONFLICT DO NOTHING";
                        case 1 -> "DELETE FROM busy WHERE id = " + id + " AND body = 'first'";
                        case 2 -> "UPDATE busy SET gone = true WHERE id = " + id;
                        case 3 -> "UPDATE busy SET body = 'edited' WHERE id % 7 = " + random.nextInt(7);
                        default -> "UPDATE busy SET gone = false WHERE id = " + id;
                    };
            pool.query(statement)
                    .execute()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }
    }
}
