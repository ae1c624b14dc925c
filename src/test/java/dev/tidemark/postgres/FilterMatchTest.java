package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.value.ValueParser;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters match the rows that PostgreSQL's operators match, for values of every key type. */
@UsesTestDatabase
class FilterMatchTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run(KeyTypesTable.DDL);
    }

    static Stream<String> columns() {
        return KeyTypesTable.COLUMNS.stream();
    }

    @ParameterizedTest
    @MethodSource("columns")
    void eachValueOfAColumnMatchesItself(String name) {
        Feed feed = DATABASE.feed(
                "table", "shapes", "columns", "id", "orders.o", name + " desc", "filters." + name, "equals, range");
        Column column = feed.filters().get(name).column();
        for (var row : DATABASE.rows("SELECT DISTINCT " + name + "::text FROM shapes WHERE " + name + " IS NOT NULL")) {
            String value = row.getString(0);
            // PostgreSQL's text of dates and times differs from the text in pages. A filter accepts both.
            String parsed = ValueParser.parse(column, value);
            assertThat(ids(feed, new Condition.AnyOf(column, List.of(parsed))))
                    .as("%s = %s", name, value)
                    .containsExactlyInAnyOrderElementsOf(idsMatching(name + " = '" + value.replace("'", "''") + "'"));
            assertThat(ids(feed, new Condition.Comparison(column, Operator.GTE, parsed)))
                    .as("%s >= %s", name, value)
                    .containsExactlyInAnyOrderElementsOf(idsMatching(name + " >= '" + value.replace("'", "''") + "'"));
        }
        assertThat(ids(feed, new Condition.Nullness(column, true)))
                .containsExactlyInAnyOrderElementsOf(idsMatching(name + " IS NULL"));
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "a, 1", "%, 1", "_, 0", "\\, 1", "ä, 1", "𝄞, 1", "'a''b', 0"})
    void textFiltersMatchLiterally(String text, int least) {
        Feed feed = DATABASE.feed("table", "shapes", "columns", "id", "orders.o", "id", "filters.word", "text");
        Column column = feed.filters().get("word").column();
        String literal = "'" + text.replace("'", "''") + "'";
        assertThat(ids(feed, new Condition.Prefix(column, text)))
                .hasSizeGreaterThanOrEqualTo(least)
                .containsExactlyInAnyOrderElementsOf(idsMatching("starts_with(word, " + literal + ")"));
        assertThat(ids(feed, new Condition.Contains(column, text)))
                .hasSizeGreaterThanOrEqualTo(least)
                .containsExactlyInAnyOrderElementsOf(idsMatching("strpos(lower(word), lower(" + literal + ")) > 0"));
    }

    @Test
    void aFilterAndAnOrderUseTheCollationOfTheColumn() {
        Feed feed = DATABASE.feed("table", "shapes", "columns", "id", "orders.o", "icu_n", "filters.icu_n", "range");
        Column column = feed.filters().get("icu_n").column();
        assertThat(ids(feed, new Condition.Comparison(column, Operator.GT, "a")))
                .isEqualTo(
                        DATABASE
                                .rows("SELECT id::text FROM shapes WHERE icu_n > 'a' ORDER BY icu_n, shapes.id")
                                .stream()
                                .map(row -> row.getString(0))
                                .toList());
    }

    private static List<String> ids(Feed feed, Condition condition) {
        return new Walk(DATABASE.reader(), feed, 30, condition).forward();
    }

    private static List<String> idsMatching(String condition) {
        return DATABASE.rows("SELECT id::text FROM shapes WHERE " + condition).stream()
                .map(row -> row.getString(0))
                .toList();
    }
}
