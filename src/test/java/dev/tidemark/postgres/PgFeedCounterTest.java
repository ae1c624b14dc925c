package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.postgres.Walk.PageWithItems;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The count of items beyond a position equals the number of items that paging from it shows. */
@UsesTestDatabase
class PgFeedCounterTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int ROWS = 119;

    @BeforeAll
    static void makeTable() {
        DATABASE.run(KeyTypesTable.DDL);
    }

    static Stream<Arguments> lists() {
        return Stream.of(
                        "id",
                        "id desc",
                        "tie desc",
                        "tie, stamp desc",
                        "stamp_n",
                        "stamp_n desc nulls last",
                        "stamp_n nulls first, tie desc",
                        "tie nulls first, real_n desc nulls last, day",
                        "mood, flag desc, word, stamp desc")
                .flatMap(order -> Stream.of(false, true).map(live -> Arguments.of(order, live)))
                .filter(arguments -> !(boolean) arguments.get()[1]
                        || arguments.get()[0].toString().startsWith("stamp_n"));
    }

    @ParameterizedTest(name = "{0}, live: {1}")
    @MethodSource("lists")
    void theCountEqualsTheItemsThatPagingShows(String order, boolean live) {
        Feed feed = live
                ? DATABASE.feed(
                        "table", "shapes", "columns", "id", "orders.o", order, "visible", "id <> 7", "live-orders", "o")
                : DATABASE.feed("table", "shapes", "columns", "id", "orders.o", order, "visible", "id <> 7");
        Walk walk = new Walk(DATABASE.reader(), feed, 7);
        int total = walk.forward().size();
        assertThat(total).isEqualTo(ROWS);
        PageWithItems read = walk.read(Optional.empty());
        int passed = 0;
        while (true) {
            assertCounted(walk, read.page().previousContinuation(), passed);
            passed += read.items().size();
            assertCounted(walk, read.page().nextContinuation(), total - passed);
            if (!read.page().hasNext()) {
                return;
            }
            read = walk.after(read.page());
        }
    }

    @ParameterizedTest(name = "{0}, live: {1}")
    @MethodSource("lists")
    void filtersApplyToCounts(String order, boolean live) {
        Feed feed = DATABASE.feed(
                "table", "shapes", "columns", "id", "orders.o", order, "filters.tie", "equals", "filters.word", "text");
        Condition several = new Condition.AnyOf(feed.filters().get("tie").column(), List.of("1", "3"));
        Walk walk = new Walk(DATABASE.reader(), feed, 7, several);
        int total = walk.forward().size();
        PageWithItems read = walk.read(Optional.empty());
        assertCounted(walk, read.page().nextContinuation(), total - 7);
        read = walk.after(read.page());
        assertCounted(walk, read.page().previousContinuation(), 7);
        assertCounted(walk, read.page().nextContinuation(), total - 14);
    }

    static Stream<String> orders() {
        return Stream.concat(
                lists().map(arguments -> arguments.get()[0].toString()),
                KeyTypesTable.COLUMNS.stream().flatMap(column -> Stream.of(column, column + " desc nulls last")));
    }

    /** The places are in several lists, at NULL and other values, before and behind rows, and in both directions. */
    @ParameterizedTest
    @MethodSource("orders")
    void oneStatementCountsAtAllPlacesOfTheSameShape(String order) {
        Feed feed = feedWithIndexes(order);
        Column tie = feed.filters().get("tie").column();
        List<Remainder> remainders = new ArrayList<>();
        addPlaces(remainders, new Walk(DATABASE.reader(), feed, 9));
        for (String value : List.of("0", "1", "2", "3")) {
            addPlaces(remainders, new Walk(DATABASE.reader(), feed, 4, new Condition.AnyOf(tie, List.of(value))));
        }
        addPlaces(remainders, new Walk(DATABASE.reader(), feed, 5, new Condition.AnyOf(tie, List.of("1", "3"))));
        FeedCounter counter = DATABASE.counter();
        Map<Object, List<Remainder>> groups = remainders.stream()
                .collect(Collectors.groupingBy(
                        remainder -> counter.group(remainder).orElseThrow()));
        assertThat(groups).hasSizeLessThan(remainders.size() / 3);
        groups.values().forEach(group -> assertThat(await(counter.countAfterChange(group, 20)))
                .isEqualTo(group.stream()
                        .map(each -> await(counter.countRemaining(each.list(), each.from(), 20)))
                        .toList()));
    }

    private static void addPlaces(List<Remainder> remainders, Walk walk) {
        PageWithItems read = walk.read(Optional.empty());
        while (true) {
            remainders.add(new Remainder(
                    walk.state(), read.page().previousContinuation().orElseThrow()));
            Continuation next = read.page().nextContinuation().orElseThrow();
            remainders.add(new Remainder(walk.state(), next));
            remainders.add(new Remainder(walk.state(), next.inDirection(Direction.BACKWARD)));
            if (!read.page().hasNext()) {
                return;
            }
            read = walk.after(read.page());
        }
    }

    private static Feed feedWithIndexes(String order) {
        String[] properties = {
            "table", "shapes", "columns", "id", "visible", "id <> 7", "orders.o", order, "filters.tie", "equals"
        };
        String keys = DATABASE.feed(properties).orders().byDefault().keys().stream()
                .map(key -> SqlQuoting.quoteIdentifier(key.column().name()) + Sql.sortDirection(key))
                .collect(Collectors.joining(", "));
        DATABASE.run("CREATE INDEX ON shapes (" + keys + ");\nCREATE INDEX ON shapes (tie, " + keys + ");\n");
        return DATABASE.feed(properties);
    }

    @Test
    void listsThatNoIndexServesAreCountedOneByOne() {
        Walk walk = new Walk(
                DATABASE.reader(), DATABASE.feed("table", "shapes", "columns", "id", "orders.o", "flag, day, word"), 7);
        Continuation place =
                walk.read(Optional.empty()).page().nextContinuation().orElseThrow();
        assertThat(DATABASE.counter().group(new Remainder(walk.state(), place))).isEmpty();
    }

    private static <T> T await(Uni<T> read) {
        return read.await().atMost(Duration.ofSeconds(10));
    }

    private static void assertCounted(Walk walk, Optional<Continuation> from, int expected) {
        FeedCounter counter = new PgFeedCounter(DATABASE.database());
        for (int limit : new int[] {101, 5}) {
            assertThat(counter.countRemaining(walk.state(), from.orElseThrow(), limit)
                            .map(ItemCount::value)
                            .await()
                            .atMost(Duration.ofSeconds(10)))
                    .isEqualTo(Math.min(limit, expected));
        }
    }
}
