package dev.tidemark.http.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.Seed;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.http.page.ServedFeeds;
import dev.tidemark.paging.Moment;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients follow windows while random transactions change the table. They apply every event as the documentation says,
 * reconnect with what they hold, or read slowly. Whenever the writes pause, each client must hold what the database
 * has.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(1200)
@Slow
class LiveModelTest {

    private static final int ROUNDS = Soak.times(5);

    /** What happens before the writes pause: with fewer transactions and events, a round would show little. */
    private static final int COMMITS_PER_ROUND = 40;

    private static final int EVENTS_PER_CLIENT = 2;
    private static final int RESUMES_PER_ROUND = 10;

    /**
     * Less than the poll interval of a table with a trigger, so that a poll does not hide a change that was missed.
     */
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private static final Set<String> EXPECTED_SQL_STATES = Set.of("55P03", "57014", "40P01", "40001");

    private final long seed = Seed.next();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean paused = new AtomicBoolean();
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger events = new AtomicInteger();
    private final AtomicInteger resumes = new AtomicInteger();

    @Inject
    LiveWindows windows;

    @Inject
    ServedFeeds feeds;

    @Inject
    CursorSealer cursors;

    @Inject
    Vertx vertx;

    /**
     * A window.
     *
     * @param list the order, the filters, and the fields
     * @param range the cursors
     * @param limit 0 for the default
     * @param condition the filters as SQL
     * @param conditionBefore what stands before the window, as SQL
     */
    private record Window(
            String list,
            String range,
            int limit,
            String condition,
            String rangeCondition,
            String conditionBefore,
            String orderBy) {

        String query() {
            return "?" + list + range + (limit == 0 ? "" : "&limit=" + limit);
        }

        int effectiveLimit() {
            return limit == 0 ? 100 : limit;
        }
    }

    /** What the database has of a window. */
    private record Content(List<String> items, boolean hasMore, boolean hasPrevious) {}

    /** The events of one stream. */
    private interface Events extends AutoCloseable {
        Optional<Event> poll() throws Exception;

        @Override
        void close();
    }

    @Test
    void everyClientHoldsItsWindowWheneverTheWritesPause() throws Exception {
        Random random = new Random(seed);
        run("TRUNCATE boards; INSERT INTO boards SELECT i, i % 3, i * 7 % 50, nullif('title ' || i % 9, 'title 0'),"
                + " md5(i::text) FROM generate_series(1, 160) i; DROP SEQUENCE IF EXISTS board_ids;"
                + " CREATE SEQUENCE board_ids START 1000");
        List<Client> clients = new ArrayList<>();
        for (Window window : windows(random)) {
            for (int i = 0; i < 3; i++) {
                clients.add(new Client(window, new Random(random.nextLong()), false));
            }
            clients.add(new Client(window, new Random(random.nextLong()), true));
        }
        List<Thread> threads = new ArrayList<>();
        clients.forEach(client -> threads.add(thread(client::follow)));
        for (double lateProbability : new double[] {0, 0, 0.5}) {
            long writerSeed = random.nextLong();
            threads.add(thread(() -> write(new Random(writerSeed), lateProbability)));
        }
        try {
            threads.forEach(Thread::start);
            for (int round = 0; round < ROUNDS; round++) {
                int commitsBefore = commits.get();
                int eventsBefore = events.get();
                int resumesBefore = resumes.get();
                Await.until("the table has changed, and clients have followed and resumed", () -> {
                    requireNoFailure();
                    return commits.get() - commitsBefore >= COMMITS_PER_ROUND
                            && events.get() - eventsBefore >= EVENTS_PER_CLIENT * clients.size()
                            && resumes.get() - resumesBefore >= RESUMES_PER_ROUND;
                });
                paused.set(true);
                for (Client client : clients) {
                    client.awaitContent();
                }
                paused.set(false);
            }
        } finally {
            stopping.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        requireNoFailure();
        OpenLiveStreams.awaitNoWindow();
    }

    private List<Window> windows(Random random) throws SQLException {
        List<Window> all = new ArrayList<>();
        String byPlace = "place, id";
        String byTitle = "title desc nulls first, id desc";
        all.add(new Window("order=place", "", 0, "true", "true", "false", byPlace));
        all.add(new Window("order=place", "", 20, "true", "true", "false", byPlace));
        all.add(new Window("order=place&fields=id,title", "", 20, "true", "true", "false", byPlace));
        all.add(new Window("order=place&shelf=1", "", 0, "shelf = 1", "true", "false", byPlace));
        all.add(new Window("order=place&shelf=2&shelf=0", "", 7, "shelf <> 1", "true", "false", byPlace));
        all.add(new Window("order=title", "", 0, "true", "true", "false", byTitle));
        all.add(new Window("order=title&shelf=0&fields=body,id", "", 11, "shelf = 0", "true", "false", byTitle));
        for (String filter : List.of("", "&shelf=1")) {
            String condition = filter.isEmpty() ? "true" : "shelf = 1";
            String list = "order=place" + filter;
            // The gap after one item, and the gap before another one.
            Map<String, String> above = page("/api/boards?limit=12&" + list);
            Map<String, String> below =
                    page("/api/boards?limit=30&" + list + "&cursor=" + string(above, "next_cursor"));
            String start = last(above);
            String end = last(below);
            String cursor = "&cursor=" + string(above, "next_cursor");
            all.add(new Window(
                    list,
                    cursor + "&until=" + string(below, "next_cursor"),
                    random.nextBoolean() ? 0 : 15,
                    condition,
                    "(place, id) > " + start + " and (place, id) <= " + end,
                    "(place, id) <= " + start,
                    byPlace));
            String firstBelow = first(below);
            all.add(new Window(
                    list,
                    "&cursor=" + string(below, "prev_cursor"),
                    25,
                    condition,
                    "(place, id) >= " + firstBelow,
                    "(place, id) < " + firstBelow,
                    byPlace));
            all.add(new Window(
                    list,
                    "&until=" + string(below, "prev_cursor"),
                    0,
                    condition,
                    "(place, id) < " + firstBelow,
                    "false",
                    byPlace));
        }
        return all;
    }

    private static String last(Map<String, String> page) {
        List<String> items = RawJson.elements(page.get("items"));
        return position(items.get(items.size() - 1));
    }

    private static String first(Map<String, String> page) {
        return position(RawJson.elements(page.get("items")).get(0));
    }

    private static String position(String item) {
        Map<String, String> members = RawJson.members(item);
        return "(" + members.get("place") + ", " + members.get("id").replace("\"", "") + ")";
    }

    private static Map<String, String> page(String target) {
        Response page = RestAssured.get(target);
        assertThat(page.statusCode()).as(target).isEqualTo(200);
        return RawJson.members(page.asString());
    }

    private static String string(Map<String, String> members, String name) {
        return members.get(name).replace("\"", "");
    }

    /** Reads what a window contains: its keys in SQL, and its items from pages of the list. */
    private static Content read(Window window) throws SQLException {
        Map<String, String> items = new HashMap<>();
        String cursor = "";
        while (cursor != null) {
            Map<String, String> page = page("/api/boards?limit=100&" + window.list() + cursor);
            for (String item : RawJson.elements(page.get("items"))) {
                items.put(RawJson.members(item).get("id"), item);
            }
            cursor = page.get("has_more").equals("true") ? "&cursor=" + string(page, "next_cursor") : null;
        }
        List<String> keys = new ArrayList<>();
        String visible = "from boards where not hidden and " + window.condition();
        try (Connection connection = FreshFeedsProfile.connection();
                Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("select id " + visible + " and " + window.rangeCondition()
                    + " order by " + window.orderBy() + " limit " + (window.effectiveLimit() + 1));
            while (rows.next()) {
                keys.add('"' + rows.getString(1) + '"');
            }
            ResultSet before = statement.executeQuery(
                    "select exists(select " + visible + " and " + window.conditionBefore() + ")");
            before.next();
            boolean hasMore = keys.size() > window.effectiveLimit();
            return new Content(
                    keys.stream().limit(window.effectiveLimit()).map(items::get).toList(),
                    hasMore,
                    before.getBoolean(1));
        }
    }

    /** A client with a thread of its own. */
    private final class Client {

        private final Window window;
        private final Random random;
        private final boolean slow;
        private WindowCopy copy;

        Client(Window window, Random random, boolean slow) {
            this.window = window;
            this.random = random;
            this.slow = slow;
        }

        void follow() throws Exception {
            while (!stopping.get()) {
                boolean keeps = copy != null && random.nextInt(4) > 0;
                Optional<String> since = keeps ? Optional.of(copy.moment()) : Optional.empty();
                if (keeps) {
                    resumes.incrementAndGet();
                } else {
                    synchronized (this) {
                        copy = new WindowCopy(List.of("id"), this::readItem);
                    }
                }
                try (Events stream = open(since)) {
                    followStream(stream);
                }
            }
        }

        private void followStream(Events stream) throws Exception {
            long horizon = 0;
            boolean isFirst = true;
            int most = 1 + random.nextInt(8);
            for (int i = 0; !stopping.get() && (i < most || paused.get()); ) {
                Optional<Event> event = stream.poll();
                if (event.isPresent()) {
                    synchronized (this) {
                        copy.apply(event.get(), isFirst);
                    }
                    Moment moment = Sealers.moments()
                            .open(feeds.find("boards").feed(), event.get().id())
                            .orElseThrow();
                    assertThat(moment.horizon()).as("moments never go back").isGreaterThanOrEqualTo(horizon);
                    horizon = moment.horizon();
                    isFirst = false;
                    events.incrementAndGet();
                    i++;
                }
            }
        }

        private Events open(Optional<String> since) {
            if (slow) {
                return new SlowEvents(window, since, random);
            }
            boolean usesHeader = random.nextBoolean();
            String target = "/api/boards/live" + window.query()
                    + since.filter(moment -> !usesHeader)
                            .map(moment -> "&since=" + moment)
                            .orElse("");
            String[] headers = since.filter(moment -> usesHeader)
                    .map(moment -> new String[] {"Last-Event-ID", moment})
                    .orElse(new String[0]);
            EventClient stream = EventClient.openAsync(TestServer.port(), target, headers)
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();
            return new Events() {
                @Override
                public Optional<Event> poll() {
                    assertThat(stream.status()).isEqualTo(200);
                    assertThat(stream.hasEnded()).isFalse();
                    return stream.poll(Duration.ofMillis(20));
                }

                @Override
                public void close() {
                    stream.close();
                }
            };
        }

        private Optional<String> readItem(String key) {
            Response page =
                    RestAssured.get("/api/boards?" + window.list() + "&limit=1&from_id=" + key.replace("\"", ""));
            return page.statusCode() == 404
                    ? Optional.empty()
                    : RawJson.elements(RawJson.members(page.asString()).get("items")).stream()
                            .findFirst();
        }

        void awaitContent() throws Exception {
            long start = System.nanoTime();
            while (true) {
                requireNoFailure();
                Content expected = read(window);
                Optional<Content> held = held();
                if (held.isPresent() && held.get().equals(expected)) {
                    return;
                }
                if (System.nanoTime() - start > SETTLING.toNanos()) {
                    assertThat(held)
                            .as("seed %s, slow %s, %s", seed, slow, window)
                            .contains(expected);
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }

        private synchronized Optional<Content> held() {
            return Optional.ofNullable(copy)
                    .filter(held -> held.moment() != null)
                    .map(held -> new Content(held.items(), held.hasMore(), held.hasPrevious()));
        }
    }

    /** The events of a stream whose client accepts each of them only after a random time. */
    private final class SlowEvents implements Events {

        private final Random random;
        private final SlowLiveClient client;

        SlowEvents(Window window, Optional<String> since, Random random) {
            this.random = random;
            this.client = new SlowLiveClient(
                    vertx, windows, SlowLiveClient.request(feeds.find("boards"), window.query(), since, cursors));
        }

        @Override
        public Optional<Event> poll() throws Exception {
            TimeUnit.MILLISECONDS.sleep(paused.get() ? 20 : random.nextInt(1200));
            List<Event> accepted = client.accept();
            assertThat(accepted)
                    .as("events of which only the first was accepted")
                    .hasSizeLessThan(2);
            return accepted.stream().findFirst();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** @param lateProbability the probability that a transaction stays open while others commit */
    private void write(Random random, double lateProbability) throws Exception {
        try (Connection connection = FreshFeedsProfile.connection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET lock_timeout = '30ms'");
            connection.commit();
            while (!stopping.get()) {
                awaitUnpaused();
                try {
                    writeTransaction(statement, random);
                    if (random.nextDouble() < lateProbability) {
                        TimeUnit.MILLISECONDS.sleep(random.nextInt(900));
                        statement.execute(changeSql(random));
                    }
                    // A transaction can stay open during a pause.
                    awaitUnpaused();
                    if (random.nextInt(8) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                        commits.incrementAndGet();
                    }
                } catch (SQLException e) {
                    if (!EXPECTED_SQL_STATES.contains(e.getSQLState())) {
                        throw e;
                    }
                    connection.rollback();
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(random.nextInt(5) == 0 ? 400 : 20));
            }
        }
    }

    private void awaitUnpaused() throws InterruptedException {
        while (paused.get() && !stopping.get()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private static void writeTransaction(Statement statement, Random random) throws SQLException {
        for (int i = random.nextInt(3); i >= 0; i--) {
            statement.execute(changeSql(random));
        }
        if (random.nextInt(4) == 0) {
            statement.execute("SAVEPOINT a");
            statement.execute(changeSql(random));
            statement.execute(random.nextBoolean() ? "ROLLBACK TO a" : "RELEASE a");
        }
    }

    private static String changeSql(Random random) {
        String some = " WHERE id IN (SELECT id FROM boards WHERE place >= " + random.nextInt(50)
                + " ORDER BY place, id LIMIT " + (1 + random.nextInt(2)) + ")";
        return switch (random.nextInt(10)) {
            case 0, 1 ->
                "INSERT INTO boards SELECT nextval('board_ids'), " + random.nextInt(3) + ", " + random.nextInt(50)
                        + ", nullif('title " + random.nextInt(9) + "', 'title 0'), 'new'";
            case 2 -> "DELETE FROM boards" + some;
            case 3 -> "UPDATE boards SET body = md5(random()::text)" + some;
            case 4 -> "UPDATE boards SET body = body" + some;
            case 5 -> "UPDATE boards SET place = " + random.nextInt(50) + some;
            case 6 -> "UPDATE boards SET hidden = NOT hidden" + some;
            case 7 -> "UPDATE boards SET id = nextval('board_ids')" + some;
            case 8 -> "UPDATE boards SET title = nullif('title " + random.nextInt(9) + "', 'title 0')" + some;
            default -> "UPDATE boards SET shelf = " + random.nextInt(3) + some;
        };
    }

    private static void run(String sql) {
        FreshFeedsProfile.execute(sql);
    }

    private interface Work {
        void run() throws Exception;
    }

    private Thread thread(Work work) {
        return new Thread(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
                stopping.set(true);
            }
        });
    }

    private void requireNoFailure() {
        if (failure.get() != null) {
            throw new AssertionError("seed " + seed, failure.get());
        }
    }
}
