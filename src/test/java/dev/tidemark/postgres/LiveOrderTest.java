package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.Walk.PageWithItems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scrolls through lists that are ordered by the time of the last edit, while rows are edited. */
@UsesTestDatabase
class LiveOrderTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int ROWS = 120;
    private static final int RUNS = Soak.times(5);

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS moving;
                CREATE TABLE moving (id bigint PRIMARY KEY, edited timestamptz);
                INSERT INTO moving SELECT i, CASE WHEN i % 3 > 0 THEN '2026-01-01'::timestamptz + (i / 4) * interval '1 minute' END
                FROM generate_series(1, 120) i;
                """);
    }

    private static Feed feed(String order) {
        return DATABASE.feed("table", "moving", "columns", "id", "orders.o", order, "live-orders", "o");
    }

    static Stream<Arguments> runs() {
        return Stream.of("edited", "edited desc nulls last", "edited nulls first", "edited desc, id")
                .flatMap(order -> IntStream.range(0, RUNS).mapToObj(i -> Arguments.of(order, Seed.next())));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("runs")
    void noItemIsRepeatedWhileItemsMoveToThePresent(String order, long seed) {
        Random random = new Random(seed);
        Walk walk = new Walk(DATABASE.reader(), feed(order), 1 + random.nextInt(20));
        List<String> moved = new ArrayList<>();
        PageWithItems read = walk.read(Optional.empty());
        List<String> seen = new ArrayList<>(read.items());
        while (read.page().hasNext()) {
            for (int i = random.nextInt(4); i > 0; i--) {
                String id = Integer.toString(1 + random.nextInt(ROWS));
                DATABASE.run("UPDATE moving SET edited = greatest(clock_timestamp(), edited + interval '1 microsecond')"
                        + " WHERE id = " + id);
                moved.add(id);
            }
            read = walk.after(read.page());
            seen.addAll(read.items());
        }
        assertThat(seen).as("no item twice").doesNotHaveDuplicates();
        List<String> unmoved = IntStream.rangeClosed(1, ROWS)
                .mapToObj(Integer::toString)
                .filter(id -> !moved.contains(id))
                .toList();
        assertThat(new HashSet<>(seen)).as("no unmoved item is lost").containsAll(unmoved);
        assertThat(walk.forward()).as("all items after a refresh").hasSize(ROWS);
    }

    @Test
    void itemsWithTheSameTimestampArePaged() {
        Feed feed = DATABASE.feed(
                "table",
                "moving",
                "columns",
                "id",
                "orders.o",
                "edited",
                "live-orders",
                "o",
                "filters.edited",
                "equals");
        DATABASE.run("UPDATE moving SET edited = '2026-02-02' WHERE id <= 10");
        Column edited = feed.usedColumns().get("edited");
        Walk walk =
                new Walk(DATABASE.reader(), feed, 3, new Condition.AnyOf(edited, List.of("2026-02-02 00:00:00+00")));
        assertThat(walk.forward()).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    }

    @Test
    void theEndOfTheListReleasesThePinSoThatNewItemsAreShown() {
        Walk walk = new Walk(DATABASE.reader(), feed("edited nulls first"), 100);
        PageWithItems last = walk.after(walk.read(Optional.empty()).page());
        assertThat(last.page().hasNext()).isFalse();
        DATABASE.run("UPDATE moving SET edited = clock_timestamp() WHERE id = 5");

        assertThat(walk.after(last.page()).items()).containsExactly("5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edited nulls first", "edited desc nulls first"})
    void replacingNullsNeitherRepeatsNorSkipsRows(String order) {
        DATABASE.run("UPDATE moving SET edited = NULL");
        Walk walk = new Walk(DATABASE.reader(), feed(order), 50);
        PageWithItems first = walk.read(Optional.empty());
        DATABASE.run("UPDATE moving SET edited = clock_timestamp() WHERE id IN ("
                + first.items().get(0) + ", " + first.items().get(1) + ")");

        PageWithItems second = walk.after(first.page());
        PageWithItems third = walk.after(second.page());
        List<String> seen = new ArrayList<>(first.items());
        seen.addAll(second.items());
        seen.addAll(third.items());
        assertThat(seen).hasSize(ROWS).doesNotHaveDuplicates();
    }

    @Test
    void anUnchangedFirstPageIsPinnedToTheSameValue() {
        Walk walk = new Walk(DATABASE.reader(), feed("edited"), 10);
        assertThat(walk.read(Optional.empty()).page())
                .isEqualTo(walk.read(Optional.empty()).page());
    }

    @Test
    void pagingBackIsNotPinnedAndShowsTheMoves() {
        Walk walk = new Walk(DATABASE.reader(), feed("edited desc nulls last"), 10);
        PageWithItems first = walk.read(Optional.empty());
        DATABASE.run("UPDATE moving SET edited = clock_timestamp() WHERE id = 7");

        assertThat(walk.before(first.page()).items()).containsExactly("7");
    }

    @Test
    void changingDirectionRepeatsNoItem() {
        Walk walk = new Walk(DATABASE.reader(), feed("edited"), 10);
        PageWithItems second = walk.after(walk.read(Optional.empty()).page());
        PageWithItems turned = walk.before(second.page());
        DATABASE.run("UPDATE moving SET edited = clock_timestamp() WHERE id = "
                + turned.items().get(3));

        assertThat(idsFrom(walk, turned)).hasSize(ROWS).doesNotHaveDuplicates();
    }

    @Test
    void continuingBeyondABookmarkRepeatsNoItem() {
        Walk walk = new Walk(DATABASE.reader(), feed("edited"), 10);
        Gap bookmark = walk.read(Optional.empty()).page().gapAfter().orElseThrow();
        PageWithItems closed =
                walk.read(new PageRequest(Optional.empty(), 10, OptionalInt.empty(), Optional.of(bookmark)));
        assertThat(closed.page().hasNext()).isFalse();
        DATABASE.run("UPDATE moving SET edited = clock_timestamp() WHERE id = "
                + closed.items().get(3));

        assertThat(idsFrom(walk, closed)).hasSize(ROWS).doesNotHaveDuplicates();
    }

    /** The items of a page and of all pages after it. */
    private static List<String> idsFrom(Walk walk, PageWithItems page) {
        List<String> seen = new ArrayList<>(page.items());
        PageWithItems read = page;
        do {
            read = walk.after(read.page());
            seen.addAll(read.items());
        } while (read.page().hasNext());
        return seen;
    }
}
