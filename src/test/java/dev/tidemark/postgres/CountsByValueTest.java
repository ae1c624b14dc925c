package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedCounter.CountOfValue;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.feed.read.FeedCounter.ValueCounts;
import dev.tidemark.postgres.rows.StatementRow;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Counts by value are those of {@code GROUP BY}, in the order of the column, with and without indexes that serve them.
 */
@UsesTestDatabase
class CountsByValueTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeEach
    void makeTable() {
        DATABASE.run(KeyTypesTable.DDL);
        DATABASE.run("DROP TABLE IF EXISTS shapes_members");
        DATABASE.run("CREATE TABLE shapes_members (tie int NOT NULL, who text NOT NULL);\n"
                + "INSERT INTO shapes_members VALUES (1, 'ada'), (1, 'ada'), (3, 'ada'), (7, 'ada'), (2, 'bob');\n");
    }

    /** The kinds of conditions of a list, with the same conditions in SQL. */
    enum Conditions {
        NONE("true"),
        EQUALS("tie = 2"),
        ANY_OF("tie IN (1, 3)"),
        MISSING("tie = 9"),
        NULL("small_n IS NULL"),
        NOT_NULL("small_n IS NOT NULL"),
        RANGE("stamp >= '2026-01-01'"),
        SEVERAL("tie = 2 AND stamp >= '2026-01-01'"),
        CLAIM("tie = 1"),
        MEMBERSHIP("tie IN (1, 3, 7)"),
        MEMBERSHIP_AND_FILTER("tie IN (1, 3, 7) AND tie IN (3, 0)");

        private final String sql;

        Conditions(String sql) {
            this.sql = sql;
        }

        List<String> scope() {
            return switch (this) {
                case CLAIM -> List.of("scope.tie", "claim:tie");
                case MEMBERSHIP, MEMBERSHIP_AND_FILTER ->
                    List.of("scope.tie.in", "public.shapes_members.tie", "scope.tie.where.who", "claim:who");
                default -> List.of();
            };
        }

        List<Condition> of(Feed feed) {
            Column tie = feed.filters().get("tie").column();
            Column small = feed.filters().get("small_n").column();
            Condition stamps =
                    new Condition.Comparison(feed.filters().get("stamp").column(), Filter.Operator.GTE, "2026-01-01");
            Condition two = new Condition.AnyOf(tie, List.of("2"));
            return switch (this) {
                case NONE -> List.of();
                case EQUALS -> List.of(two);
                case ANY_OF -> List.of(new Condition.AnyOf(tie, List.of("1", "3")));
                case MISSING -> List.of(new Condition.AnyOf(tie, List.of("9")));
                case NULL -> List.of(new Condition.Nullness(small, true));
                case NOT_NULL -> List.of(new Condition.Nullness(small, false));
                case RANGE -> List.of(stamps);
                case SEVERAL -> List.of(two, stamps);
                case CLAIM -> List.of(new Condition.InScope(tie, "1"));
                case MEMBERSHIP -> List.of(member(feed));
                case MEMBERSHIP_AND_FILTER -> List.of(member(feed), new Condition.AnyOf(tie, List.of("3", "0")));
            };
        }

        private static Condition member(Feed feed) {
            return new Condition.InMembership(
                    (Access.Membership) feed.access().scope().get(0), List.of("ada"));
        }
    }

    static List<String> columns() {
        return KeyTypesTable.COLUMNS;
    }

    @ParameterizedTest
    @MethodSource("columns")
    void theCountsAreThoseOfGroupBy(String by) {
        List<String> named = named(by);
        for (boolean isIndexed : new boolean[] {false, true}) {
            if (isIndexed) {
                createIndexes(by);
            }
            Map<List<String>, Feed> feeds = new HashMap<>();
            for (Conditions conditions : Conditions.values()) {
                Feed feed = feeds.computeIfAbsent(conditions.scope(), scope -> feed(by, scope.toArray(String[]::new)));
                List<Condition> all = conditions.of(feed);
                String description = conditions + (isIndexed ? " with indexes" : " without indexes");
                for (int upTo : new int[] {7, 1000}) {
                    assertThat(texts(count(feed, all, Optional.empty(), upTo), feed))
                            .as("%s, up to %d", description, upTo)
                            .isEqualTo(expected(by, conditions.sql, upTo));
                }
                assertThat(count(feed, all, Optional.of(named), 6))
                        .as("named values, %s", description)
                        .extracting(CountOfValue::count)
                        .isEqualTo(expectedOfNamed(by, named, conditions.sql, 7));
            }
        }
    }

    /** All values in another order than the column's, and the first one of them again. */
    private static List<String> named(String by) {
        List<String> named =
                new ArrayList<>(DATABASE
                        .rows("SELECT DISTINCT " + by + "::text AS v FROM shapes WHERE " + by
                                + " IS NOT NULL ORDER BY 1 DESC")
                        .stream()
                        .map(row -> row.getString("v"))
                        .toList());
        named.add(named.get(0));
        return named;
    }

    private static List<Integer> expectedOfNamed(String by, List<String> named, String conditions, int cap) {
        String type = type(by);
        return DATABASE
                .rows("SELECT (SELECT least(" + cap + ", count(*))::int FROM shapes WHERE id <> 7 AND " + conditions
                        + " AND " + by + " = v::" + type
                        + ") AS n FROM (SELECT v, n, row_number() OVER (PARTITION BY v::"
                        + type + " ORDER BY n) AS again FROM unnest(ARRAY["
                        + named.stream().map(CountsByValueTest::literal).collect(Collectors.joining(", "))
                        + "]::text[]) WITH ORDINALITY AS t(v, n)) t WHERE again = 1 ORDER BY t.n")
                .stream()
                .map(row -> row.getInteger("n"))
                .toList();
    }

    @Test
    void aListOfItemsWithoutAValueHasTheCountOfNull() {
        for (boolean isIndexed : new boolean[] {false, true}) {
            if (isIndexed) {
                createIndexes("word_n");
            }
            Feed feed = feed("word_n");
            assertThat(DATABASE.counter().isServedByIndex(counts(feed, List.of(), Optional.empty(), 5)))
                    .isEqualTo(isIndexed);
            Condition isNull = new Condition.Nullness(column(feed), true);
            assertThat(texts(count(feed, List.of(isNull), Optional.empty(), 5), feed))
                    .containsExactly("null 6");
            Condition none = new Condition.AnyOf(feed.filters().get("tie").column(), List.of("9"));
            assertThat(texts(count(feed, List.of(isNull, none), Optional.empty(), 5), feed))
                    .containsExactly("null 0");
            Condition isNotNull = new Condition.Nullness(column(feed), false);
            assertThat(texts(count(feed, List.of(isNull, isNotNull), Optional.empty(), 5), feed))
                    .containsExactly("null 0");
        }
    }

    @Test
    void theCountsOfMoreThanAHundredValuesAreNotComplete() {
        DATABASE.run("ALTER TABLE shapes ADD other int;\nUPDATE shapes SET other = id % 118;\n");
        for (boolean isIndexed : new boolean[] {false, true}) {
            if (isIndexed) {
                createIndexes("other");
            }
            ValueCounts found = find(feed("other"), List.of(), Optional.empty(), 5);
            assertThat(found.isComplete()).as("indexed: %s", isIndexed).isFalse();
            assertThat(found.counts())
                    .hasSize(100)
                    .extracting(CountOfValue::count)
                    .startsWith(1, 2, 2, 1);
        }
    }

    @Test
    void theCountsOfLargeValuesEndBeforeTheyAreTooLargeTogether() {
        DATABASE.run(
                "ALTER TABLE shapes ADD other text;\n" + "UPDATE shapes SET other = repeat((id % 10)::text, 30000);\n");
        ValueCounts found = find(feed("other"), List.of(), Optional.empty(), 5);
        assertThat(found.isComplete()).isFalse();
        assertThat(found.counts())
                .extracting(each -> each.value().text(0).substring(0, 2))
                .containsExactly("00", "11", "22");
        List<String> named =
                Stream.of("3", "4", "5", "x").map(each -> each.repeat(30_000)).toList();
        assertThat(count(feed("other"), List.of(), Optional.of(named), 5)).hasSize(4);
    }

    @Test
    void rowsOfPartitionsViewsAndDomainsAreCounted() {
        DATABASE.run("""
                DROP TABLE IF EXISTS parcels_counted CASCADE;
                DROP TYPE IF EXISTS size_counted CASCADE;
                CREATE TYPE size_counted AS ENUM ('small', 'large');
                CREATE DOMAIN size_wrapped AS size_counted;
                CREATE TABLE parcels_counted (id int NOT NULL, day date NOT NULL, size size_wrapped, gone boolean NOT NULL,
                  PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
                CREATE TABLE parcels_2025 PARTITION OF parcels_counted FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
                CREATE TABLE parcels_2026 PARTITION OF parcels_counted FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
                INSERT INTO parcels_counted SELECT i, '2025-12-01'::date + i, (ARRAY['small', 'large', NULL]::size_counted[])[1 + i % 3],
                  i % 10 = 0 FROM generate_series(1, 60) i;
                CREATE INDEX ON parcels_counted ((size::size_counted));
                CREATE INDEX ON parcels_counted (size);
                CREATE VIEW parcels_shown AS SELECT * FROM parcels_counted WHERE NOT gone;
                ANALYZE parcels_counted;
                """);
        for (String table : List.of("parcels_counted", "parcels_shown")) {
            Feed feed = DATABASE.feed(
                    "table", table, "key", "id, day", "orders.o", "day", "counts", "size", "visible", "not gone");
            assertThat(DATABASE.counter().isServedByIndex(counts(feed, List.of(), Optional.empty(), 9)))
                    .as(table)
                    .isTrue();
            assertThat(texts(count(feed, List.of(), Optional.empty(), 17), feed))
                    .containsExactly("small 18", "large 18", "null 18");
            assertThat(texts(count(feed, List.of(), Optional.of(List.of("large")), 99), feed))
                    .containsExactly("large 18");
        }
    }

    @Test
    void timesAsNumbersAreCountedByTheirNumbers() {
        DATABASE.run("DROP TABLE IF EXISTS ticks;\n"
                + "CREATE TABLE ticks (id int PRIMARY KEY, at int);\n"
                + "INSERT INTO ticks VALUES (1, 60), (2, 60), (3, 120), (4, NULL);\n"
                + "CREATE INDEX ON ticks (at);\n");
        Feed feed = DATABASE.feed("table", "ticks", "orders.o", "id", "epoch.at", "s", "counts", "at");
        assertThat(DATABASE.counter().isServedByIndex(counts(feed, List.of(), Optional.empty(), 9)))
                .isTrue();
        assertThat(texts(count(feed, List.of(), Optional.empty(), 9), feed)).containsExactly("60 2", "120 1", "null 1");
        assertThat(texts(count(feed, List.of(), Optional.of(List.of("120", "7")), 9), feed))
                .containsExactly("120 1", "7 0");
    }

    private static void createIndexes(String by) {
        DATABASE.run("CREATE INDEX ON shapes (" + by + ");\nCREATE INDEX ON shapes (tie, " + by
                + ");\nCREATE INDEX ON shapes (small_n, " + by + ");\n");
    }

    private static Feed feed(String by, String... more) {
        String[] properties = {
            "table",
            "shapes",
            "columns",
            "id",
            "orders.o",
            "id",
            "visible",
            "id <> 7",
            "counts",
            by,
            "filters.tie",
            "equals",
            "filters.small_n",
            "equals",
            "filters.stamp",
            "range"
        };
        return DATABASE.feed(
                Stream.concat(Stream.of(properties), Stream.of(more)).toArray(String[]::new));
    }

    private static CountsByValue counts(Feed feed, List<Condition> conditions, Optional<List<String>> named, int upTo) {
        return new CountsByValue(new ListState(feed, feed.orders().byDefault(), conditions), column(feed), named, upTo);
    }

    private static List<CountOfValue> count(
            Feed feed, List<Condition> conditions, Optional<List<String>> named, int upTo) {
        ValueCounts found = find(feed, conditions, named, upTo);
        assertThat(found.isComplete()).isTrue();
        return found.counts();
    }

    private static ValueCounts find(Feed feed, List<Condition> conditions, Optional<List<String>> named, int upTo) {
        return DATABASE.counter()
                .countByValue(counts(feed, conditions, named, upTo))
                .await()
                .atMost(Duration.ofSeconds(10));
    }

    private static Column column(Feed feed) {
        return feed.counts().get(0);
    }

    private static String type(String by) {
        return DATABASE.rows("SELECT pg_typeof(" + by + ")::text AS t FROM shapes LIMIT 1")
                .get(0)
                .getString("t")
                .replaceAll("^character$", "bpchar");
    }

    private static String literal(String value) {
        return '\'' + value.replace("'", "''") + '\'';
    }

    private static List<String> texts(List<CountOfValue> counts, Feed feed) {
        Column by = column(feed);
        if (counts.isEmpty()) {
            return List.of();
        }
        String values = counts.stream()
                .map(each -> ((StatementRow) each.value()).positionText(0, by))
                .map(text -> text == null ? "NULL" : literal(text))
                .collect(Collectors.joining(", "));
        List<Row> normal = DATABASE.rows("SELECT " + normal(by.name(), "v") + "::text AS v FROM unnest(ARRAY[" + values
                + "]::" + by.sqlType() + "[]) WITH ORDINALITY AS t(v, n) ORDER BY n");
        return IntStream.range(0, counts.size())
                .mapToObj(
                        i -> normal.get(i).getString("v") + " " + counts.get(i).count())
                .toList();
    }

    /** One of the texts of equal values. */
    private static String normal(String by, String value) {
        return switch (by) {
            case "num_n" -> "trim_scale(" + value + ")";
            case "real_n", "double_n" -> "(" + value + " + 0)";
            default -> value;
        };
    }

    private static List<String> expected(String by, String conditions, int upTo) {
        return DATABASE
                .rows("SELECT " + normal(by, by) + "::text AS v, least(count(*), " + (upTo + 1)
                        + ")::int AS n FROM shapes WHERE id <> 7 AND " + conditions + " GROUP BY " + by + " ORDER BY "
                        + by)
                .stream()
                .map(row -> row.getString("v") + " " + row.getInteger("n"))
                .toList();
    }
}
