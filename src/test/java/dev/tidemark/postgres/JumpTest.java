package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Soak;
import dev.tidemark.feed.Feed;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.Walk.PageWithItems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that start at a value or an item, extend before it, or end at a bookmark, in orders of all kinds. */
@UsesTestDatabase
class JumpTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final String VISIBLE = "id % 3 <> 0";

    @BeforeAll
    static void makeTable() {
        DATABASE.run(KeyTypesTable.DDL);
    }

    private static Feed feed(String order) {
        return DATABASE.feed("table", "shapes", "columns", "id", "orders.o", order, "visible", VISIBLE);
    }

    private static List<String> ids(Feed feed) {
        return new Walk(DATABASE.reader(), feed, 100).forward();
    }

    private static Position positionOf(Walk walk, String id) {
        return DATABASE.reader()
                .locate(walk.state(), List.of(id), Optional.empty())
                .await()
                .atMost(Duration.ofSeconds(9))
                .orElseThrow()
                .position();
    }

    private static PageRequest requestAt(Position place, int limit, int preceding) {
        return new PageRequest(
                Optional.of(new Continuation(Gap.before(place), Direction.FORWARD)),
                limit,
                preceding > 0 ? OptionalInt.of(preceding) : OptionalInt.empty(),
                Optional.empty());
    }

    private static void assertIsPageOf(List<String> all, PageWithItems read, int from, int to) {
        assertThat(read.items()).isEqualTo(all.subList(from, to));
        assertThat(read.page().hasPrevious()).isEqualTo(from > 0);
        assertThat(read.page().hasNext()).isEqualTo(to < all.size());
    }

    private static final String ORDERS = """
            id
            tie, stamp desc
            real_n desc nulls last
            stamp_n nulls first, word desc
            stamp_n desc nulls last, id
            mood desc, word_n nulls first, day
            num_n, id desc""";

    static List<String> orders() {
        return ORDERS.lines().toList();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void aPageFromAnItemStartsWithIt(String order) {
        Feed feed = feed(order);
        List<String> all = ids(feed);
        Walk walk = new Walk(DATABASE.reader(), feed, 5);
        for (int i = 0; i < all.size(); i += 7) {
            assertIsPageOf(
                    all, walk.read(requestAt(positionOf(walk, all.get(i)), 5, 0)), i, Math.min(i + 5, all.size()));
        }
    }

    @ParameterizedTest
    @MethodSource("orders")
    void aPageAroundAnItemIsFilledFromTheOtherSideNearAnEnd(String order) {
        Feed feed = feed(order);
        List<String> all = ids(feed);
        Walk walk = new Walk(DATABASE.reader(), feed, 7);
        for (int i : new int[] {0, 1, 2, 3, 4, 40, all.size() - 5, all.size() - 4, all.size() - 2, all.size() - 1}) {
            int from = Math.max(0, Math.min(i - 3, all.size() - 7));
            assertIsPageOf(all, walk.read(requestAt(positionOf(walk, all.get(i)), 7, 3)), from, from + 7);
        }
    }

    @Test
    void aPageAroundAnItemOfAShortListHoldsAllOfIt() {
        Feed feed = feed("id");
        List<String> all = ids(feed);
        Walk walk = new Walk(DATABASE.reader(), feed, 100);
        assertIsPageOf(all, walk.read(requestAt(positionOf(walk, all.get(30)), 100, 50)), 0, all.size());
    }

    @ParameterizedTest
    @MethodSource("orders")
    void aWalkUntilABookmarkEndsExactlyThere(String order) {
        Feed feed = feed(order);
        List<String> all = ids(feed);
        for (int size : Soak.onePageSize(order)) {
            Walk walk = new Walk(DATABASE.reader(), feed, size);
            for (int i = 0; i < all.size(); i += 13) {
                Position border = positionOf(walk, all.get(i));
                assertThat(walk.forwardUntil(Gap.before(border))).isEqualTo(all.subList(0, i));
                assertThat(walk.forwardUntil(Gap.after(border))).isEqualTo(all.subList(0, i + 1));
            }
        }
    }

    @Test
    void anEmptyPageBeforeABookmarkHasItsPosition() {
        Feed feed = feed("stamp_n nulls first, word desc");
        Walk walk = new Walk(DATABASE.reader(), feed, 5);
        Gap border = Gap.before(positionOf(walk, ids(feed).get(0)));
        PageWithItems read = walk.read(new PageRequest(Optional.empty(), 5, OptionalInt.empty(), Optional.of(border)));
        assertThat(read.items()).isEmpty();
        assertThat(read.page().gapBefore()).contains(border);
        assertThat(read.page().gapAfter()).contains(border);
        assertThat(read.page().hasNext()).isFalse();
    }

    /**
     * The cursor is beyond the bookmark: the items between them are before the cursor, but not before the bookmark.
     */
    @ParameterizedTest
    @MethodSource("orders")
    void anEmptyPageBeyondABookmarkReportsItemsBeforeTheBookmark(String order) {
        Feed feed = feed(order);
        List<String> all = ids(feed);
        Walk walk = new Walk(DATABASE.reader(), feed, 5);
        Continuation passed = new Continuation(Gap.after(positionOf(walk, all.get(all.size() / 2))), Direction.FORWARD);
        for (int before : new int[] {0, 1, all.size() / 3}) {
            Gap border = Gap.before(positionOf(walk, all.get(before)));
            PageWithItems read =
                    walk.read(new PageRequest(Optional.of(passed), 5, OptionalInt.empty(), Optional.of(border)));
            assertThat(read.items()).isEmpty();
            assertThat(read.page().hasPrevious()).isEqualTo(before > 0);
            assertThat(read.page().hasNext()).isFalse();
            assertThat(read.page().gapBefore()).contains(border);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-infinity", "2026-01-16 10:00:00.123457+00", "2030-01-01 00:00:00+00", "infinity"})
    void aJumpToAValueStartsAtTheFirstItemAtOrBeyondIt(String value) {
        for (String order :
                List.of("stamp", "stamp desc", "stamp_n", "stamp_n desc", "stamp_n nulls first, tie desc")) {
            Feed feed = feed(order);
            List<String> all = ids(feed);
            String key = order.split("[ ,]")[0];
            boolean descending = order.contains(key + " desc");
            String before = "(" + key + (descending ? " > '" : " < '") + value + "'"
                    + (feed.orders().byDefault().keys().get(0).nullsFirst()
                                    && feed.orders()
                                            .byDefault()
                                            .keys()
                                            .get(0)
                                            .column()
                                            .nullable()
                            ? " OR " + key + " IS NULL"
                            : "")
                    + ")";
            int skipped = DATABASE.rows("SELECT count(*)::int FROM shapes WHERE " + VISIBLE + " AND " + before)
                    .get(0)
                    .getInteger(0);
            Walk walk = new Walk(DATABASE.reader(), feed, 9);
            assertIsPageOf(
                    all, walk.read(requestAt(Position.of(value), 9, 0)), skipped, Math.min(skipped + 9, all.size()));
        }
    }

    @Test
    void aJumpBeyondTheEndKeepsItsPositionAndLeadsBack() {
        Feed feed = feed("id");
        List<String> all = ids(feed);
        Walk walk = new Walk(DATABASE.reader(), feed, 5);
        PageWithItems read = walk.read(requestAt(Position.of("1000000"), 5, 0));
        assertThat(read.items()).isEmpty();
        assertThat(read.page().hasPrevious()).isTrue();
        assertThat(walk.before(read.page()).items()).isEqualTo(all.subList(all.size() - 5, all.size()));
        assertThat(walk.after(read.page()).items()).isEmpty();
    }

    @Test
    void anInvisibleItemIsNotFound() {
        Walk walk = new Walk(DATABASE.reader(), feed("id"), 5);
        assertThat(DATABASE.reader()
                        .locate(walk.state(), List.of("3"), Optional.empty())
                        .await()
                        .atMost(Duration.ofSeconds(9)))
                .isEmpty();
    }
}
