package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code search} as it is declared, and its faults. */
@UsesTestDatabase
class SearchFaultsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void createTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS searched, searched_keyless;
                DROP COLLATION IF EXISTS searched_loosely;
                CREATE COLLATION searched_loosely (provider = icu, locale = 'und', deterministic = false);
                CREATE TABLE searched (id bigint PRIMARY KEY, title text, body varchar(99), detail jsonb, n int,
                  loose text COLLATE searched_loosely, q text);
                CREATE TABLE searched_keyless (title text);
                """);
    }

    private static Map<String, String> declarationWith(String... changes) {
        Map<String, String> properties = new HashMap<>(Map.of("f.table", "searched", "f.orders.oldest", "id"));
        for (int i = 0; i < changes.length; i += 2) {
            properties.put("f." + changes[i], changes[i + 1]);
        }
        return properties;
    }

    @Test
    void textColumnsAndDerivedOnesCanBeSearched() {
        Feed feed = DeclaredFeeds.resolve(
                        DATABASE.catalogue(),
                        declarationWith(
                                "columns", "id",
                                "derived.kind", "detail ->> 'kind'",
                                "search.columns[0]", "title",
                                "search.columns[1]", "kind",
                                "search.columns[2]", "body",
                                "search.scan", "1000"))
                .find("f")
                .orElseThrow();
        assertThat(feed.policy().search().columns().stream().map(Column::name))
                .containsExactly("title", "kind", "body");
        assertThat(feed.policy().search().scan()).isEqualTo(1000);
        assertThat(feed.usedColumns()).containsKeys("title", "kind", "body");
        Feed other = DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith())
                .find("f")
                .orElseThrow();
        assertThat(other.policy().search()).isEqualTo(Feed.Search.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            search.columns  | title, n      | search.columns: column 'n' is of type integer, and only text can be searched
            search.columns  | detail        | search.columns: column 'detail' is of type jsonb, and only text can be searched
            search.columns  | loose         | search.columns: column 'loose' has a nondeterministic collation
            search.columns  | titel         | search.columns: there is no column 'titel'
            search.columns  | title, title  | search.columns: lists a column twice
            search.scan     | 5000          | search.columns: is missing: list the text columns that clients may search
            search          | title         | search: must be a map, such as {columns: [subject, body]}
            search.column   | title         | search.column: unknown property; the nearest name is columns
            filters.q       | equals        | filters.q: a filter column must not have the name of a parameter
            """)
    void aFaultNamesTheProperty(String property, String value, String fault) {
        assertThat(DeclaredFeeds.startupError(DATABASE.catalogue(), declarationWith(property, value)))
                .contains(fault);
    }

    @ParameterizedTest
    @CsvSource({"999", "100001", "many", "-1"})
    void theNumberOfRowsHasBounds(String scan) {
        assertThat(DeclaredFeeds.startupError(
                        DATABASE.catalogue(), declarationWith("search.columns", "title", "search.scan", scan)))
                .contains("search.scan: must be a whole number from 1000 to 100000");
    }

    @Test
    void aSearchNeedsAKey() {
        Map<String, String> keyless = declarationWith(
                "table",
                "searched_keyless",
                "orders.oldest",
                "title",
                "universal.strategy",
                "offset",
                "search.columns",
                "title");
        assertThat(DeclaredFeeds.startupError(DATABASE.catalogue(), keyless)).contains("search: needs a key");
    }
}
