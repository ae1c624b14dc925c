package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters with several values on a key of the order, with an index that starts with this key, continues with a key
 * before it, and does not serve the list. PostgreSQL 17.9 returns wrong rows for some conditions on such an index.
 */
@UsesTestDatabase
class SeveralValuesOfKeyTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS flagged;
                CREATE TABLE flagged (id bigint PRIMARY KEY, tie int NOT NULL, flag boolean NOT NULL, word text NOT NULL);
                INSERT INTO flagged SELECT i, i % 30, i % 4 < 2, repeat('w', 500) FROM generate_series(1, 900) i;
                CREATE INDEX ON flagged (flag, tie, word, id DESC);
                ANALYZE flagged;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tie, flag", "tie desc, flag desc", "tie, flag desc"})
    void aWalkReturnsEachRowOnceInOrder(String order) {
        Feed feed = DATABASE.feed("table", "flagged", "columns", "id", "orders.o", order, "filters.flag", "equals");
        Condition anyOf = new Condition.AnyOf(feed.filters().get("flag").column(), List.of("false", "true"));
        String idDirection = order.endsWith("desc") ? " DESC" : "";
        List<String> expected =
                DATABASE.rows("SELECT id::text AS item FROM flagged ORDER BY " + order + ", id" + idDirection).stream()
                        .map(row -> row.getString(0))
                        .toList();
        Walk walk = new Walk(DATABASE.reader(), feed, 37, anyOf);
        assertThat(walk.forward()).isEqualTo(expected);
        assertThat(walk.backward()).isEqualTo(expected);
    }
}
