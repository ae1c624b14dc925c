package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.paging.Continuation;
import dev.tidemark.postgres.Walk.PageWithItems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
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

    private static void assertCounted(Walk walk, Optional<Continuation> from, int expected) {
        FeedCounter counter = new PgFeedCounter(DATABASE.database());
        for (int limit : new int[] {101, 5}) {
            assertThat(counter.countRemaining(walk.state(), from.orElseThrow(), limit)
                            .await()
                            .atMost(Duration.ofSeconds(10)))
                    .isEqualTo(Math.min(limit, expected));
        }
    }
}
