package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filter values with different texts that are equal for the column's type. */
@UsesTestDatabase
class TyingFilterValuesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS alike;
                CREATE EXTENSION IF NOT EXISTS citext;
                DROP COLLATION IF EXISTS any_case;
                CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                CREATE TABLE alike (id bigint PRIMARY KEY, fixed char(5), ci citext, named name, loose text COLLATE any_case);
                INSERT INTO alike SELECT i, (ARRAY['a', 'b', NULL])[1 + i % 3], (ARRAY['a', 'A', 'b'])[1 + i % 3],
                  repeat('n', 63), (ARRAY['a', 'A', 'b'])[1 + i % 3] FROM generate_series(1, 20) i;
                CREATE INDEX ON alike (fixed, id);
                CREATE INDEX ON alike (ci, id);
                CREATE INDEX ON alike (named, id);
                CREATE INDEX ON alike (loose, id);
                ANALYZE alike;
                """);
    }

    @ParameterizedTest(name = "{0} in ({1}, {2})")
    @CsvSource({
        "fixed, a, 'a '",
        "ci, a, A",
        "loose, a, A",
        "named, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnX, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnY"
    })
    void aRowThatMatchesTwoValuesIsShownOnce(String column, String one, String other) {
        Feed feed = DATABASE.feed("table", "alike", "columns", "id", "orders.o", "id", "filters." + column, "equals");
        Condition anyOf = new Condition.AnyOf(feed.filters().get(column).column(), List.of(one, other));
        for (int size : new int[] {1, 2, 3, 7, 100}) {
            Walk walk = new Walk(DATABASE.reader(), feed, size, anyOf);
            assertThat(walk.forward()).as("forward by %d", size).doesNotHaveDuplicates();
            assertThat(walk.backward()).as("back by %d", size).doesNotHaveDuplicates();
        }
    }
}
