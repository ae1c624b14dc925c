package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.postgres.Walk.PageWithItems;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A cursor stands for a place, not for a row: it leads forward and backward even if the row beside it, the next page
 * or the whole list was deleted.
 */
@UsesTestDatabase
class ShrinkingListTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private Walk walk;

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS shrinking;
                CREATE TABLE shrinking (id bigint PRIMARY KEY, n int);
                INSERT INTO shrinking SELECT i, nullif(i % 4, 0) FROM generate_series(1, 20) i;
                """);
        Feed feed = DATABASE.feed(
                "table",
                "shrinking",
                "columns",
                "id",
                "orders.o",
                "id",
                "visible",
                "n > 0 OR n IS NULL",
                "count",
                "exact");
        walk = new Walk(DATABASE.reader(), feed, 5);
    }

    @Test
    void aPageContinuesAfterADeletedRow() {
        PageWithItems first = walk.read(Optional.empty());
        DATABASE.run("DELETE FROM shrinking WHERE id = 5");
        assertThat(walk.after(first.page()).items()).containsExactly("6", "7", "8", "9", "10");
    }

    @Test
    void aPageContinuesAfterADeletedPage() {
        PageWithItems first = walk.read(Optional.empty());
        DATABASE.run("DELETE FROM shrinking WHERE id BETWEEN 4 AND 12");
        PageWithItems second = walk.after(first.page());
        assertThat(second.items()).containsExactly("13", "14", "15", "16", "17");
        assertThat(walk.before(second.page()).items()).containsExactly("1", "2", "3");
    }

    @Test
    void anEmptiedListCanStillBePagedInBothDirections() {
        PageWithItems first = walk.read(Optional.empty());
        DATABASE.run("DELETE FROM shrinking");
        PageWithItems empty = walk.after(first.page());
        assertThat(empty.items()).isEmpty();
        assertThat(empty.page().hasPrevious() || empty.page().hasNext()).isFalse();

        DATABASE.run("INSERT INTO shrinking VALUES (2, 1), (5, 1), (6, 1), (30, 1)");
        assertThat(walk.before(empty.page()).items()).containsExactly("2", "5");
        assertThat(walk.after(empty.page()).items()).containsExactly("6", "30");
    }

    @Test
    void aListThatIsEmptyFromTheStartHasNoBookmarks() {
        DATABASE.run("DELETE FROM shrinking");
        PageWithItems empty = walk.read(Optional.empty());
        assertThat(empty.page().gapBefore()).isEmpty();
        assertThat(empty.page().gapAfter()).isEmpty();
        assertThat(empty.page().hasNext()).isFalse();
    }

    @Test
    void aPageThatEndsTheListHasNoNext() {
        PageWithItems last = walk.read(Optional.empty());
        for (int i = 1; i < 4; i++) {
            assertThat(last.page().hasNext()).isTrue();
            last = walk.after(last.page());
        }
        assertThat(last.items()).containsExactly("16", "17", "18", "19", "20");
        assertThat(last.page().hasNext()).isFalse();
    }

    /**
     * The promise that a scroll skips no item does not cover this case: a transaction can commit a row at a position
     * that the scroll has already passed.
     */
    @Test
    void aRowCommittedLateIsShownByTheNextReadFromTheTop() {
        DATABASE.run("DELETE FROM shrinking WHERE id = 3");
        SqlConnection late = join(DATABASE.writePool().getConnection());
        join(late.query("BEGIN; INSERT INTO shrinking VALUES (3, 1)").execute());
        PageWithItems first = walk.read(Optional.empty());
        assertThat(first.items()).containsExactly("1", "2", "4", "5", "6");
        join(late.query("COMMIT").execute());
        join(late.close());

        assertThat(walk.after(first.page()).items()).containsExactly("7", "8", "9", "10", "11");
        assertThat(walk.read(Optional.empty()).items()).containsExactly("1", "2", "3", "4", "5");
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void invisibleRowsAreNotCounted() {
        DATABASE.run("UPDATE shrinking SET n = -1 WHERE id <= 7");
        var counter = DATABASE.counter();
        assertThat(counter.countAll(walk.state(), 100, Optional.empty())
                        .map(ItemCount::value)
                        .await()
                        .atMost(Duration.ofSeconds(9)))
                .isEqualTo(13);
    }
}
