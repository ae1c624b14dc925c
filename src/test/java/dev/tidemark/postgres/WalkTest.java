package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.sql.Sql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Walks through orders of all kinds, over a table full of ties and of values that often break pagination. */
@UsesTestDatabase
class WalkTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run(KeyTypesTable.DDL);
    }

    /** Derived columns, by name: with and without NULLs, with ties, and with values that no column has. */
    static final Map<String, String> DERIVED = Map.of(
            "latest", "coalesce(stamp_n, stamp)",
            "folded", "lower(word_n)",
            "ratio", "num_n / nullif(tie, 0)",
            "feeling", "coalesce(mood_n, mood)",
            "renamed", "mood_n",
            "amount", "num_n -- as others call it");

    /** Random orders of two to four columns; more of them with a {@code soak.factor}. */
    private static Stream<String> randomOrders() {
        Random random = Seed.random();
        return Stream.generate(() -> {
                    List<String> columns = new ArrayList<>(KeyTypesTable.COLUMNS);
                    columns.addAll(new TreeSet<>(DERIVED.keySet()));
                    Collections.shuffle(columns, random);
                    return columns.subList(0, 2 + random.nextInt(3)).stream()
                            .map(column -> column
                                    + List.of("", " desc").get(random.nextInt(2))
                                    + List.of("", " nulls first", " nulls last").get(random.nextInt(3)))
                            .collect(Collectors.joining(", "));
                })
                .limit(Soak.times(8));
    }

    static Stream<String> orders() {
        return Stream.concat(Stream.concat(fixedOrders(), randomOrders()), Stream.of("id"));
    }

    static Stream<String> walkedOrders() {
        return Soak.randomHalf(orders());
    }

    private static Stream<String> fixedOrders() {
        return Stream.concat(
                KeyTypesTable.COLUMNS.stream()
                        .flatMap(column -> Stream.of(
                                column, column + " desc", column + " nulls first", column + " desc nulls last")),
                Stream.of(
                        "latest desc",
                        "renamed",
                        "amount desc nulls last, renamed",
                        "latest, tie desc",
                        "folded desc nulls last, latest",
                        "ratio nulls first, folded",
                        "feeling desc, ratio desc nulls last",
                        "tie, stamp desc",
                        "tie desc, stamp desc",
                        "stamp desc, tie nulls first, word desc",
                        "tie nulls first, real_n desc nulls last, day",
                        "mood, flag desc, word, stamp desc",
                        "small_n, big_n, stamp_n desc",
                        "id desc",
                        "stamp_n desc nulls last, id",
                        "tie, word_n nulls first, id desc"));
    }

    /** Without embeds, an index serves the list, and the SELECT list has the same names as the order. */
    @ParameterizedTest
    @ValueSource(strings = {"renamed", "amount desc"})
    void anIndexServesTheOrderOfARenamedColumn(String order) {
        DATABASE.run("CREATE INDEX IF NOT EXISTS shapes_mood_n ON shapes (mood_n, id);"
                + " CREATE INDEX IF NOT EXISTS shapes_num_n ON shapes (num_n, id)");
        List<String> properties = new ArrayList<>(List.of("table", "shapes", "orders.o", order));
        DERIVED.forEach((name, expression) -> properties.addAll(List.of("derived." + name, expression)));
        properties.addAll(List.of("columns", "id, renamed, amount"));
        Feed feed = DATABASE.feed(properties.toArray(String[]::new));
        List<String> expected = DATABASE.rows("SELECT id::text FROM shapes ORDER BY " + orderBy(feed)).stream()
                .map(row -> row.getString(0))
                .collect(Collectors.toList());
        assertThat(new Walk(DATABASE.reader(), feed, 3).forward()).isEqualTo(expected);
        assertThat(new Walk(DATABASE.reader(), feed, 3).backward()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("walkedOrders")
    void aWalkForwardAndBackShowsEveryRowOnceInTheDatabasesOrder(String order) {
        List<String> properties = new ArrayList<>(
                List.of("table", "shapes", "columns", "id", "orders.o", order, "visible", "id <> 7 OR id = 8"));
        DERIVED.forEach((name, expression) -> properties.addAll(List.of("derived." + name, expression)));
        Feed feed = DATABASE.feed(properties.toArray(String[]::new));
        List<String> expected =
                DATABASE
                        .rows("SELECT id::text FROM shapes WHERE (id <> 7 OR id = 8) ORDER BY " + orderBy(feed))
                        .stream()
                        .map(row -> row.getString(0))
                        .collect(Collectors.toList());
        for (int size : Soak.onePageSize(order)) {
            Walk walk = new Walk(DATABASE.reader(), feed, size);
            assertThat(walk.forward()).as("forward by %d", size).isEqualTo(expected);
            assertThat(walk.backward()).as("back by %d", size).isEqualTo(expected);
            assertThat(walk.faultsOfZigzag(new Random(order.hashCode() + size), expected))
                    .as("back and forth by %d", size)
                    .isEmpty();
        }
    }

    private static String orderBy(Feed feed) {
        List<String> keys = new ArrayList<>();
        feed.orders()
                .byDefault()
                .keys()
                .forEach(key -> keys.add(Sql.column("shapes", key.column())
                        + (key.descending() ? " DESC" : " ASC")
                        + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST")));
        return String.join(", ", keys);
    }
}
