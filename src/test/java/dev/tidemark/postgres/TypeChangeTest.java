package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.rows.StatementRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Between a change to a table and its detection, either the values are correct or the page is unavailable. */
@UsesTestDatabase
class TypeChangeTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "small int             | 1                                      | bigint",
                "small int             | 1                                      | text",
                "word text             | '01234567-89ab-cdef-0123-456789abcdef' | uuid using word::uuid",
                "word varchar(40)      | '1'                                    | numeric using word::numeric",
                "moment timestamptz    | '2026-01-01 10:00:00+00'               | timestamp",
                "moment timestamptz    | '2026-01-01 00:00:00+00'               | date",
                "local timestamp       | '2026-01-01 10:00:00'                  | timestamptz",
                "exact numeric         | 1.5                                    | double precision",
                "doc jsonb             | '{\"a\": 1}'                           | text using 'no JSON'",
                "flags boolean         | true                                   | int using flags::int",
                "ints int[]            | '{1,NULL}'                             | text[]",
                "big bigint            | 9223372036854775807                    | numeric",
                "small int             | 1                                      | bigint using 9223372036854775807"
            })
    void aPageAfterATypeChangeIsCorrectOrUnavailable(String column, String value, String changed) {
        String name = column.split(" ")[0];
        DATABASE.run("DROP TABLE IF EXISTS changing;\nCREATE TABLE changing (id int PRIMARY KEY, " + column
                + ");\nINSERT INTO changing VALUES (1, " + value + ");\n");
        Feed feed = DATABASE.feed("table", "changing", "orders.o", "id");
        Feed fresh = DATABASE.feed("table", "changing", "orders.o", "id desc");
        List<Object> before = read(feed);
        assertThat(before).hasSize(1);

        DATABASE.run("ALTER TABLE changing ALTER " + name + " TYPE " + changed + ";\n");
        // With a plan from before the change, and with a new plan.
        for (Feed changing : List.of(feed, feed, fresh)) {
            assertThat(read(changing)).isIn(before, List.of(ReadFailure.Reason.FEED_UNAVAILABLE));
        }
    }

    /** Removes an enum label as migrations do: afterwards, the column has a new type with the old name. */
    @Test
    void aRecreatedTypeOfTheSameNameFailsNoPage() {
        DATABASE.run("""
                DROP TABLE IF EXISTS changing;
                DROP TYPE IF EXISTS phase;
                CREATE TYPE phase AS ENUM ('new', 'old', 'unused');
                CREATE TABLE changing (id int PRIMARY KEY, phase phase);
                INSERT INTO changing VALUES (1, 'old');
                """);
        Feed indexed = DATABASE.feed("table", "changing", "orders.o", "id");
        Feed sorted = DATABASE.feed("table", "changing", "orders.o", "phase");
        // Over each kind of connection.
        for (int i = 0; i < 4; i++) {
            assertThat(read(indexed)).containsExactly("old");
            assertThat(read(sorted)).containsExactly("old");
        }
        DATABASE.run("""
                ALTER TYPE phase RENAME TO phase_before;
                CREATE TYPE phase AS ENUM ('new', 'old');
                ALTER TABLE changing ALTER phase TYPE phase USING phase::text::phase;
                DROP TYPE phase_before;
                """);
        for (int i = 0; i < 4; i++) {
            assertThat(read(indexed)).containsExactly("old");
            assertThat(read(sorted)).containsExactly("old");
        }
    }

    /** The value of each row, read as the type that the feed expects, or the reason why it cannot be read. */
    private static List<Object> read(Feed feed) {
        List<Object> values = new ArrayList<>();
        RowSink sink =
                row -> values.add(textOf((StatementRow) row, feed.columns().get(1)));
        try {
            DATABASE.reader()
                    .read(
                            new ListState(feed, feed.orders().byDefault(), List.of()),
                            new PageRequest(Optional.empty(), 5),
                            sink)
                    .await()
                    .atMost(Duration.ofSeconds(30));
            return values;
        } catch (ReadFailure failure) {
            return List.of(failure.reason());
        }
    }

    /** Reads the value with the accessor for the column's type, which fails for a value of another type. */
    private static String textOf(StatementRow row, Column column) {
        return column.type() == Scalar.JSON ? row.text(1) : row.positionText(1, column);
    }
}
