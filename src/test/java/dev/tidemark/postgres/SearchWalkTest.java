package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.Walk.PageWithItems;
import dev.tidemark.postgres.connection.ReadPreference;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Walks through searches whose pages look at few rows: every matching item is shown exactly once, whatever the number
 * of rows, the page size, and the direction, and whatever is written meanwhile.
 */
@UsesTestDatabase
class SearchWalkTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int ROWS = 300;

    /** Each value is read by all tests, so they do not change the rows below {@link #ROWS}. */
    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS texts;
                CREATE TABLE texts (id bigint PRIMARY KEY, made int NOT NULL, edited timestamptz, kind text NOT NULL,
                  subject text, body text);
                INSERT INTO texts SELECT i, abs(hashint8(i)) % 40,
                  CASE WHEN i % 5 > 0 THEN '2026-01-01'::timestamptz + (abs(hashint8(i + 1)) % 50) * interval '1 s' END,
                  (ARRAY['a', 'b', 'c'])[1 + i % 3],
                  CASE WHEN i % 7 > 0 THEN (ARRAY['Alpha', 'beta', 'GAMMA 100%', 'under_score', 'back\\slash', 'emoji 👍🏽'])
                    [1 + abs(hashint8(i + 2)) % 6] END,
                  CASE WHEN i % 11 > 0 THEN 'text ' || chr(97 + abs(hashint8(i + 3)) % 26) || chr(97 + abs(hashint8(i + 4)) % 26)
                  END
                FROM generate_series(1, 300) i;
                CREATE INDEX ON texts (made DESC, id DESC);
                CREATE INDEX ON texts (kind, made DESC, id DESC);
                CREATE INDEX ON texts (edited DESC NULLS LAST, id DESC);
                VACUUM ANALYZE texts;
                """);
    }

    private static final List<String> ORDERS =
            List.of("made desc", "made", "edited desc nulls last", "made, kind desc", "edited nulls first, kind");

    private static final List<List<String>> WORDS = List.of(
            List.of("alpha"),
            List.of("ALPHA", "text"),
            List.of("%"),
            List.of("r_s"),
            List.of("k\\s"),
            List.of("👍🏽", "emo"),
            List.of("xt a"),
            List.of("nowhere"),
            List.of("e"));

    private static Feed feed(String order, int scan, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "table",
                "texts",
                "columns",
                "id, made",
                "orders.o",
                order,
                "filters.kind",
                "equals",
                "filters.subject",
                "text",
                "filters.body",
                "text"));
        properties.addAll(List.of(more));
        Feed feed = DATABASE.feed(properties.toArray(String[]::new));
        return new Feed(
                feed.name(),
                feed.relation(),
                feed.columns(),
                feed.embeds(),
                feed.notifyOn(),
                feed.orders(),
                feed.filters(),
                feed.counts(),
                feed.policy().withSearch(new Feed.Search(List.of(), scan)),
                feed.access(),
                feed.indexes());
    }

    private static Condition search(Feed feed, List<String> words) {
        return new Condition.Search(
                List.of(
                        feed.filters().get("subject").column(),
                        feed.filters().get("body").column()),
                words);
    }

    /** Reads each page in the list's order, or as if an index on text found its rows. */
    private static FeedReader eitherWay(Random random) {
        return new PgFeedReader(DATABASE.database(), new FewMatches(DATABASE.database()) {
            @Override
            Uni<Boolean> areExpected(ListState state, ReadPreference preference) {
                return Uni.createFrom().item(random.nextBoolean());
            }
        });
    }

    private static FeedReader through(boolean textIndex) {
        return new PgFeedReader(DATABASE.database(), new FewMatches(DATABASE.database()) {
            @Override
            Uni<Boolean> areExpected(ListState state, ReadPreference preference) {
                return Uni.createFrom().item(textIndex);
            }
        });
    }

    private static String sql(List<String> words) {
        return words.stream()
                .map(word -> "'" + word + "'")
                .map(word -> "(strpos(lower(subject), lower(" + word + ")) > 0 OR strpos(lower(body), lower(" + word
                        + ")) > 0)")
                .collect(Collectors.joining(" AND "));
    }

    private static List<String> expected(Feed feed, String condition) {
        String keys = feed.orders().byDefault().keys().stream()
                .map(key -> "texts." + key.column().name()
                        + (key.descending() ? " DESC" : " ASC")
                        + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"))
                .collect(Collectors.joining(", "));
        return DATABASE.rows("SELECT id::text FROM texts WHERE " + condition + " ORDER BY " + keys).stream()
                .map(row -> row.getString(0))
                .toList();
    }

    static Stream<String> orders() {
        return ORDERS.stream();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void everyMatchIsShownOnceForwardAndBack(String order) {
        Random random = Seed.random();
        for (int run = 0; run < Soak.times(5); run++) {
            List<String> words = WORDS.get(random.nextInt(WORDS.size()));
            int scan = List.of(1, 2, 7, 40, 299, 300, 301, 1000).get(random.nextInt(8));
            int size = 1 + random.nextInt(9);
            Feed feed = feed(order, scan);
            List<Condition> conditions = new ArrayList<>(List.of(search(feed, words)));
            String where = sql(words);
            if (random.nextBoolean()) {
                List<String> kinds = random.nextBoolean() ? List.of("b") : List.of("a", "c");
                conditions.add(new Condition.AnyOf(feed.filters().get("kind").column(), kinds));
                where += " AND kind IN ('" + String.join("', '", kinds) + "')";
            }
            if (random.nextBoolean()) {
                conditions.add(new Condition.Contains(feed.filters().get("body").column(), "T"));
                where += " AND body ILIKE '%t%'";
            }
            String what = words + " by " + size + ", scan " + scan;
            List<String> expected = expected(feed, where);
            Walk walk = new Walk(eitherWay(random), feed, size, conditions.toArray(Condition[]::new));
            List<String> forward = walk(walk, walk.read(Optional.empty()), Direction.FORWARD, size);
            assertThat(forward).as("forward: %s", what).isEqualTo(expected);
            PageWithItems last = last(walk);
            if (last.page().nextContinuation().isEmpty()) {
                // A page that an index on text proves to be empty has no place.
                assertThat(expected).as(what).isEmpty();
                continue;
            }
            List<String> backward = walk(
                    walk,
                    walk.read(last.page()
                            .nextContinuation()
                            .map(next -> new Continuation(next.gap(), Direction.BACKWARD))),
                    Direction.BACKWARD,
                    size);
            assertThat(backward).as("backward: %s", what).isEqualTo(expected);
        }
    }

    /** Reads to the end in one direction, and checks the flags, and when pages are partial. */
    private static List<String> walk(Walk walk, PageWithItems first, Direction direction, int size) {
        List<String> all = new ArrayList<>();
        PageWithItems read = first;
        for (int pages = 0; ; pages++) {
            assertThat(pages).as("the walk ends").isLessThan(2 * ROWS + 9);
            Page page = read.page();
            boolean forward = direction == Direction.FORWARD;
            boolean goesOn = forward ? page.hasNext() : page.hasPrevious();
            all.addAll(forward ? all.size() : 0, read.items());
            assertThat(page.scanEnds().partial()).isEqualTo(goesOn && page.size() < size);
            if (!goesOn) {
                return all;
            }
            read = forward ? walk.after(page) : walk.before(page);
        }
    }

    private static PageWithItems last(Walk walk) {
        PageWithItems read = walk.read(Optional.empty());
        while (read.page().hasNext()) {
            read = walk.after(read.page());
        }
        return read;
    }

    /** If a page may look at all rows, it is the same page either way: items, flags, cursors, and what was written. */
    @ParameterizedTest
    @MethodSource("orders")
    void aPageIsTheSameEitherWay(String order) {
        Random random = Seed.random();
        String live = order.startsWith("edited desc") ? "o" : "";
        Feed feed = feed(order, 1000, "delta", "true", "live-orders", live);
        for (int run = 0; run < Soak.times(10); run++) {
            Condition search = search(feed, WORDS.get(random.nextInt(WORDS.size())));
            int size = 1 + random.nextInt(40);
            ListState state = new ListState(feed, feed.orders().byDefault(), List.of(search));
            Optional<Continuation> from = Optional.empty();
            Optional<Moment> since = Optional.empty();
            Optional<Gap> until = Optional.empty();
            for (int step = 0; step < 8; step++) {
                boolean isForward = from.isEmpty() || from.get().direction() == Direction.FORWARD;
                OptionalInt around = from.isPresent() && isForward && random.nextInt(3) == 0
                        ? OptionalInt.of(random.nextInt(size))
                        : OptionalInt.empty();
                PageRequest request = new PageRequest(
                                from, size, around, around.isEmpty() && isForward ? until : Optional.empty())
                        .withSince(random.nextBoolean() ? since : Optional.empty());
                List<String> expected = new ArrayList<>();
                boolean isAfterChange = random.nextBoolean();
                Page inOrder = read(through(false), state, request, isAfterChange, expected);
                List<String> items = new ArrayList<>();
                Page page = read(through(true), state, request, isAfterChange, items);
                assertThat(items).as("%s of %s", request, search).isEqualTo(expected);
                // Between the two reads, other tests may commit.
                assertThat(page)
                        .as("%s of %s", request, search)
                        .usingRecursiveComparison()
                        .ignoringFields("moment")
                        .isEqualTo(inOrder);
                since = Optional.of(random.nextBoolean() ? page.moment().orElseThrow() : new Moment("1/2/3", 3));
                from = random.nextInt(3) > 0 ? page.nextContinuation() : page.previousContinuation();
                until = random.nextBoolean() ? page.gapAfter() : until;
            }
        }
    }

    private static Page read(
            FeedReader reader, ListState state, PageRequest request, boolean isAfterChange, List<String> items) {
        RowSink sink = new RowSink() {
            @Override
            public void accept(RowValues row) {
                items.add("item " + row.integer(0));
            }

            @Override
            public void acceptUnchanged(RowValues row) {
                items.add("key " + row.integer(0));
            }
        };
        return (isAfterChange ? reader.readAfterChange(state, request, sink) : reader.read(state, request, sink))
                .await()
                .atMost(Duration.ofSeconds(60));
    }

    /** An empty partial page keeps no bookmark at the start, and its own place elsewhere. */
    @Test
    void anEmptyPartialPageKeepsItsPlace() {
        Feed feed = feed("made desc", 10);
        Walk walk = new Walk(DATABASE.reader(), feed, 5, search(feed, List.of("nowhere")));
        Page first = walk.read(Optional.empty()).page();
        assertThat(first.gapBefore()).isEmpty();
        assertThat(first.scanEnds().partial()).isTrue();
        assertThat(first.hasPrevious()).isFalse();
        Continuation next = first.nextContinuation().orElseThrow();
        Page second = walk.read(Optional.of(next)).page();
        assertThat(second.gapBefore()).contains(next.gap());
        assertThat(second.gapAfter()).contains(next.gap());
        assertThat(second.hasPrevious()).isTrue();
        assertThat(second.nextContinuation()).isNotEqualTo(Optional.of(next));
        assertThat(first.withoutItems(new PageRequest(Optional.empty(), 1)).nextContinuation())
                .contains(next);
        assertThat(second.withoutItems(new PageRequest(Optional.of(next), 1)).nextContinuation())
                .contains(next);
    }

    @Test
    void aWalkUntilAGapEndsThere() {
        Random random = Seed.random();
        for (int scan : new int[] {3, 50, 1000}) {
            Feed feed = feed("made desc", scan);
            List<String> all = expected(feed, "true");
            for (List<String> words : WORDS) {
                List<String> expected = expected(feed, sql(words));
                Walk walk = new Walk(eitherWay(random), feed, 4, search(feed, words));
                for (int at : new int[] {0, 17, 299}) {
                    var row = DATABASE.rows("SELECT made::text, id::text FROM texts WHERE id = " + all.get(at))
                            .get(0);
                    Gap until = Gap.before(Position.of(row.getString(0), row.getString(1)));
                    List<String> before = new ArrayList<>(expected);
                    before.retainAll(all.subList(0, at));
                    List<String> walked = new ArrayList<>();
                    Optional<Continuation> from = Optional.empty();
                    PageWithItems read;
                    do {
                        read = walk.read(new PageRequest(from, 4, OptionalInt.empty(), Optional.of(until)));
                        walked.addAll(read.items());
                        from = read.page().nextContinuation();
                    } while (read.page().hasNext());
                    assertThat(walked)
                            .as("%s, scan %d, until %d", words, scan, at)
                            .isEqualTo(before);
                }
            }
        }
    }

    @Test
    void aPageAroundAPlaceHasTheNearestMatchesOfTheRowsLookedAt() {
        for (int scan : new int[] {16, 120, 1000}) {
            Feed feed = feed("made desc", scan);
            List<String> all = expected(feed, "true");
            for (List<String> words : WORDS) {
                List<String> matches = expected(feed, sql(words));
                Walk walk = new Walk(DATABASE.reader(), feed, 9, search(feed, words));
                for (int at : new int[] {0, 5, 150, 299}) {
                    var row = DATABASE.rows("SELECT made::text, id::text FROM texts WHERE id = " + all.get(at))
                            .get(0);
                    Gap gap = Gap.before(Position.of(row.getString(0), row.getString(1)));
                    PageWithItems read = walk.read(new PageRequest(
                            Optional.of(new Continuation(gap, Direction.FORWARD)),
                            9,
                            OptionalInt.of(4),
                            Optional.empty()));
                    List<String> far = new ArrayList<>(all.subList(Math.max(0, at - scan / 2), at));
                    far.retainAll(matches);
                    List<String> near = new ArrayList<>(all.subList(at, Math.min(300, at + scan - scan / 2)));
                    near.retainAll(matches);
                    int nearCount = Math.min(near.size(), 9 - Math.min(4, far.size()));
                    int farCount = Math.min(far.size(), 9 - nearCount);
                    List<String> expected = new ArrayList<>(far.subList(far.size() - farCount, far.size()));
                    expected.addAll(near.subList(0, nearCount));
                    String what = words + ", scan " + scan + ", at " + at;
                    Page page = read.page();
                    assertThat(read.items()).as(what).isEqualTo(expected);
                    assertThat(page.hasPrevious())
                            .as(what)
                            .isEqualTo(far.size() > farCount || at - scan / 2 >= 0 && scan / 2 > 0);
                    assertThat(page.hasNext())
                            .as(what)
                            .isEqualTo(near.size() > nearCount || at + scan - scan / 2 <= 300);
                    List<String> around = new ArrayList<>(read.items());
                    if (page.hasNext()) {
                        around.addAll(walk(walk, walk.after(page), Direction.FORWARD, 9));
                    }
                    if (page.hasPrevious()) {
                        around.addAll(0, walk(walk, walk.before(page), Direction.BACKWARD, 9));
                    }
                    assertThat(around).as(what).isEqualTo(matches);
                }
            }
        }
    }

    /** Rows that stay where they are, and always match, are shown exactly once while others come and go. */
    @Test
    void concurrentWritesNeitherHideNorRepeatItems() throws Exception {
        Random readers = Seed.random();
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService writers = Executors.newSingleThreadExecutor();
        try {
            Future<?> writing = writers.submit(() -> {
                Random random = new Random(7);
                while (!stop.get()) {
                    int id = 1000 + random.nextInt(200);
                    DATABASE.rows(
                            random.nextInt(3) > 0
                                    ? "INSERT INTO texts VALUES (" + id + ", " + random.nextInt(40)
                                            + ", now(), 'w', 'Alpha', 'written') ON CONFLICT (id) DO UPDATE SET made = "
                                            + random.nextInt(40)
                                    : "DELETE FROM texts WHERE id = " + id);
                }
            });
            for (int run = 0; run < Soak.times(20); run++) {
                Feed feed = feed(run % 2 == 0 ? "made desc" : "made", 1 + run * 3);
                List<String> expected = expected(feed, sql(List.of("alpha")) + " AND id <= " + ROWS);
                Walk walk = new Walk(eitherWay(readers), feed, 1 + run % 6, search(feed, List.of("alpha")));
                List<String> all = new ArrayList<>();
                PageWithItems read = walk.read(Optional.empty());
                all.addAll(read.items());
                while (read.page().hasNext()) {
                    read = walk.after(read.page());
                    all.addAll(read.items());
                }
                all.removeIf(id -> Integer.parseInt(id) > ROWS);
                assertThat(all).isEqualTo(expected);
            }
            stop.set(true);
            writing.get();
        } finally {
            stop.set(true);
            writers.shutdown();
            DATABASE.rows("DELETE FROM texts WHERE id > " + ROWS);
        }
    }

    /** The pin is the greatest value of all rows, whether or not they match. */
    @Test
    void aScrollOfALiveOrderShowsNoItemTwiceOverPartialPages() {
        Feed feed = feed("edited desc nulls last", 20, "live-orders", "o");
        Walk walk = new Walk(eitherWay(Seed.random()), feed, 2, search(feed, List.of("text")));
        Set<String> shown = new LinkedHashSet<>();
        PageWithItems read = walk.read(Optional.empty());
        boolean moved = false;
        while (true) {
            for (String id : read.items()) {
                assertThat(shown.add(id)).as("item %s is new", id).isTrue();
            }
            if (!moved) {
                moved = true;
                DATABASE.rows("UPDATE texts SET edited = '2027-01-01' WHERE id = "
                        + read.items().get(0));
            }
            if (!read.page().hasNext()) {
                break;
            }
            read = walk.after(read.page());
        }
        assertThat(shown).hasSameSizeAs(expected(feed, sql(List.of("text"))));
        makeTable();
    }

    @Test
    void countsEndAtTenTimesTheRowsOfAPage() {
        Feed feed = feed("made desc", 5);
        List<String> looked = expected(feed, "true").subList(0, 50);
        ListState state = new ListState(feed, feed.orders().byDefault(), List.of(search(feed, List.of("text"))));
        List<String> matches = new ArrayList<>(expected(feed, sql(List.of("text"))));
        ItemCount all =
                count(new ListState(feed("made desc", 1000), feed.orders().byDefault(), state.conditions()), 1000);
        assertThat(all).isEqualTo(new ItemCount(matches.size(), false));
        assertThat(count(state, 7)).isEqualTo(new ItemCount(7, false));
        matches.retainAll(looked);
        assertThat(count(state, 1000)).isEqualTo(new ItemCount(matches.size(), true));
        Gap start = Gap.before(Position.of("1000", "1000"));
        assertThat(DATABASE.counter()
                        .countRemaining(state, new Continuation(start, Direction.FORWARD), 101)
                        .await()
                        .atMost(Duration.ofSeconds(9)))
                .isEqualTo(new ItemCount(matches.size(), true));
    }

    private static ItemCount count(ListState state, int cap) {
        return DATABASE.counter().countAll(state, cap, Optional.empty()).await().atMost(Duration.ofSeconds(9));
    }
}
