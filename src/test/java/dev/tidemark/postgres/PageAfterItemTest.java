package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.Walk.PageWithItems;
import dev.tidemark.postgres.sql.PageColumns;
import dev.tidemark.postgres.sql.PageShape;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The next page is read from the last item of a page, which may change between the two reads. */
@UsesTestDatabase
class PageAfterItemTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS leaving CASCADE;
                DROP VIEW IF EXISTS offered;
                CREATE TABLE leaving (id bigint PRIMARY KEY, at int NOT NULL, price numeric, hidden boolean NOT NULL);
                INSERT INTO leaving SELECT i, i, nullif(i, 4), false FROM generate_series(1, 20) i;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"at", "price nulls first", "at, id desc", "price nulls first, at desc"})
    void aPageHasNoPreviousAfterTheOnlyEarlierItemWasDeleted(String order) {
        Walk walk = walk(order, 1);
        Page first = walk.read(Optional.empty()).page();
        Page second = walk.after(first).page();
        assertThat(second.hasPrevious()).isTrue();
        DATABASE.run("DELETE FROM leaving WHERE at = " + (order.startsWith("at") ? 1 : 4));
        PageWithItems again = walk.after(first);
        assertThat(again.page().hasPrevious()).isFalse();
        assertThat(again.items()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"at = at + 15, 3, 5", "hidden = true, 3, 5", "at = -5, 3, 5"})
    void aMovedItemIsNotMistakenForTheItemAtItsOldPosition(String change, String previous, String following) {
        Walk walk = walk("at", 4);
        Page page = walk.read(Optional.empty()).page();
        DATABASE.run("UPDATE leaving SET " + change + " WHERE id = 4");
        PageWithItems next = walk.after(page);
        assertThat(next.items()).startsWith(following).hasSize(4);
        assertThat(next.page().hasPrevious()).isTrue();
        assertThat(walk.before(next.page()).items()).endsWith(previous);
    }

    @ParameterizedTest
    @CsvSource({"price nulls first, 7, 8", "price nulls last, 7, 8", "'price nulls first, at desc', 7, 8"})
    void anItemWhoseKeyChangedToAnEqualValueIsNotRepeated(String order, String edited, String next) {
        Walk walk = walk(order, order.contains("last") ? 6 : 7);
        PageWithItems page = walk.read(Optional.empty());
        assertThat(page.items()).endsWith(edited);
        DATABASE.run("UPDATE leaving SET price = 7.000 WHERE id = " + edited);
        assertThat(walk.after(page.page()).items()).startsWith(next);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 19, 20})
    void pagingBackStartsBeforeTheFirstItemOfThePage(int size) {
        Walk walk = walk("at", size);
        Page second = walk.after(walk.read(Optional.empty()).page()).page();
        PageWithItems back = walk.before(second);
        assertThat(back.items()).endsWith(Integer.toString(size)).hasSize(size);
        assertThat(back.page().hasNext()).isEqualTo(size < 20);
        assertThat(back.page().hasPrevious()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 11, 20, 30, 50, 100, 200, 500, 1000})
    void hasNextIsCorrectAtTheEdgesOfEveryPageSize(int size) {
        DATABASE.run("INSERT INTO leaving SELECT i, i, i, false FROM generate_series(21, 1100) i");
        Walk walk = walk("at", size);
        for (int left = size - 1; left <= size + 2; left++) {
            String item = Integer.toString(1100 - left);
            Gap after = Gap.after(Position.of(item, item));
            PageWithItems read = walk.read(Optional.of(new Continuation(after, Direction.FORWARD)));
            assertThat(read.items()).hasSize(Math.min(size, left));
            assertThat(read.page().hasNext()).as("%d left", left).isEqualTo(left > size);
            assertThat(read.page().hasPrevious()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theWalkOfAViewWithADuplicateKeyEnds(int size) {
        DATABASE.run("CREATE OR REPLACE VIEW repeating AS SELECT id / 6 AS id FROM leaving");
        Feed feed = DATABASE.feed("table", "repeating", "key", "id", "orders.o", "id");
        Walk walk = new Walk(DATABASE.reader(), feed, size);
        PageWithItems read = walk.read(Optional.empty());
        for (int pages = 1; read.page().hasNext(); pages++) {
            assertThat(pages).isLessThan(20);
            read = walk.after(read.page());
        }
    }

    /**
     * If several items have equal keys, the item found at the position can be an earlier one, so that items that were
     * already shown follow it.
     */
    @ParameterizedTest
    @CsvSource({"price, 1", "price, 2", "price, 3", "price, 4", "number, 1", "number, 2", "number, 3", "number, 4"})
    void noItemIsRepeatedInAViewWithEqualButDifferentlyWrittenKeys(String key, int size) {
        DATABASE.run("""
                CREATE VIEW offered AS SELECT id, price, 1 AS number
                  FROM (VALUES (1, 0), (2, 1.0), (3, 1.00), (4, 1.0), (5, 1.000), (6, 2)) offers (id, price);
                """);
        Feed feed = DATABASE.feed("table", "offered", "key", key, "columns", "id", "orders.o", "price");
        Walk walk = new Walk(DATABASE.reader(), feed, size);
        assertThat(walk.forward()).startsWith("1").endsWith("6").doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"1, FORWARD", "2, FORWARD", "1, BACKWARD", "2, BACKWARD"})
    void theItemAtAPositionIsReadOnlyIfThePositionHasAllKeys(int keys, Direction direction) {
        ListState state = walk("at", 4).state();
        Position position = keys == 1 ? Position.of("5") : Position.of("5", "5");
        Gap left = direction == Direction.FORWARD ? Gap.after(position) : Gap.before(position);
        PageRequest request = new PageRequest(Optional.of(new Continuation(left, direction)), 4);
        PageColumns columns = new PageColumns(state.feed(), state.order());
        assertThat(PageShape.of(state, request).includingPosition(columns).isPresent())
                .isEqualTo(keys == 2);
    }

    private static Walk walk(String order, int size) {
        Feed feed = DATABASE.feed("table", "leaving", "columns", "id, at", "orders.o", order, "visible", "NOT hidden");
        return new Walk(DATABASE.reader(), feed, size);
    }
}
