package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@UsesTestDatabase
class IndexInspectionTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS indexed CASCADE;
                CREATE TABLE indexed (id bigint PRIMARY KEY, at timestamptz NOT NULL, seen timestamptz, word varchar(99) NOT NULL,
                  "Odd" int, status varchar(9), gone timestamptz);
                """);
    }

    private static List<MissingIndex> missingIndexes(String order, String... more) {
        String[] properties = new String[6 + more.length];
        System.arraycopy(
                new String[] {"table", "indexed", "orders.o", order, "visible", "gone is null"}, 0, properties, 0, 6);
        System.arraycopy(more, 0, properties, 6, more.length);
        return DATABASE.missingIndexes(DATABASE.feed(properties));
    }

    private static void createIndexes(List<MissingIndex> missing) {
        missing.forEach(index -> DATABASE.run(String.join("\n", index.script())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at",
                "at desc",
                "seen nulls first",
                "seen desc nulls last",
                "seen desc",
                "word, at desc",
                "\"Odd\" desc nulls last, at"
            })
    void theSuggestedIndexForAnOrderRemovesTheWarning(String order) {
        List<MissingIndex> before = missingIndexes(order);
        assertThat(before).hasSize(1);
        createIndexes(before);
        assertThat(missingIndexes(order)).isEmpty();
    }

    @Test
    void oneIndexIsSuggestedForAnOrderAndItsReverse() {
        String[] more = {
            "orders.p", "seen nulls first", "orders.q", "seen", "default-order", "o", "filters.status", "equals"
        };
        List<MissingIndex> before = missingIndexes("seen desc nulls last", more);
        assertThat(before)
                .extracting(index ->
                        index.list().order() + " " + index.list().filterColumn().orElse("")
                                + index.script().size())
                .containsExactly("o 1", "o status1", "p 0", "p status0", "q 1", "q status1");
        assertThat(before.get(2).description()).isEqualTo("order p: the same index as for order o serves it");
        createIndexes(before.stream().filter(index -> !index.script().isEmpty()).toList());
        assertThat(missingIndexes("seen desc nulls last", more)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"at", "at desc", "seen desc nulls last", "word, at desc"})
    void theSuggestedIndexesForAFilteredOrderRemoveTheWarnings(String order) {
        List<MissingIndex> before = missingIndexes(order, "filters.status", "equals");
        assertThat(before).hasSize(2);
        createIndexes(before);
        assertThat(missingIndexes(order, "filters.status", "equals")).isEmpty();
    }

    @Test
    void theSuggestedIndexForCountsRemovesTheWarning() {
        DATABASE.run("CREATE INDEX ON indexed (at, id)");
        List<MissingIndex> before = missingIndexes("at", "counts", "status, Odd");
        assertThat(before).extracting(MissingIndex::description).containsExactly("counts by status", "counts by Odd");
        assertThat(before.get(0).script())
                .singleElement()
                .asString()
                .startsWith("CREATE INDEX CONCURRENTLY IF NOT EXISTS indexed_status_idx_")
                .endsWith(" ON public.indexed (status);");
        createIndexes(before);
        assertThat(missingIndexes("at", "counts", "status, Odd")).isEmpty();
    }

    @Test
    void anIndexThatServesAFilterServesCountsByItsColumn() {
        DATABASE.run("CREATE INDEX ON indexed (at, id)");
        String[] more = {"counts", "status", "filters.status", "equals"};
        List<MissingIndex> before = missingIndexes("at", more);
        assertThat(before)
                .extracting(MissingIndex::description)
                .containsExactly(
                        "order o with a filter on status",
                        "counts by status: the same index as for order o with a filter on status serves it");
        createIndexes(before.subList(0, 1));
        assertThat(missingIndexes("at", more)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'(\"Odd\", status)', true", "'(\"Odd\" DESC, status)', true", "(status), false"})
    void theIndexForCountsStartsWithTheScope(String index, boolean isServing) {
        DATABASE.run("CREATE INDEX ON indexed (\"Odd\", at, id)");
        DATABASE.run("CREATE INDEX ON indexed " + index);
        assertThat(missingIndexes("at", "counts", "status", "scope.Odd", "claim:odd")
                        .isEmpty())
                .isEqualTo(isServing);
    }

    @ParameterizedTest
    @CsvSource({
        "at desc, (at)",
        "at desc, '(at desc, id)'",
        "seen desc nulls last, '(seen desc, id desc)'",
        "word, '(word text_pattern_ops, id)'",
        "word, '(word COLLATE \"en-x-icu\", id)'",
        "at, '(at, id) WHERE status IS NULL'"
    })
    void anIndexInAnotherOrderDoesNotServe(String order, String index) {
        DATABASE.run("CREATE INDEX ON indexed " + index);
        assertThat(missingIndexes(order)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "at desc, '(at, id)'",
        "at, '(at, id, word)'",
        "seen desc nulls last, '(seen nulls first, id)'",
        "at, '(at, id) WHERE gone IS NULL'"
    })
    void anIndexInEitherDirectionServes(String order, String index) {
        DATABASE.run("CREATE INDEX ON indexed " + index);
        assertThat(missingIndexes(order)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "status desc", "status nulls first", "status desc nulls last"})
    void anIndexCanStartWithTheFilterInAnyDirection(String leading) {
        DATABASE.run("CREATE INDEX ON indexed (at, id);\nCREATE INDEX ON indexed (" + leading + ", at desc, id desc)");
        assertThat(missingIndexes("at", "filters.status", "equals")).isEmpty();
    }

    @Test
    void aFilterOnTheFirstColumnOfTheOrderNeedsNoIndexOfItsOwn() {
        DATABASE.run("CREATE INDEX ON indexed (at, id)");
        assertThat(missingIndexes("at", "filters.at", "equals")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"at", "at desc", "seen desc nulls last", "word, at desc", "word, \"Odd\""})
    void theSuggestedIndexesForAScopedFeedRemoveTheWarnings(String order) {
        String[] more = {"scope.Odd", "claim:odd", "filters.status", "equals", "filters.Odd", "equals"};
        DATABASE.run("CREATE INDEX ON indexed (at, id); CREATE INDEX ON indexed (status, at, id)");
        List<MissingIndex> before = missingIndexes(order, more);
        assertThat(before).as("an index without the scope serves nothing").hasSize(2);
        createIndexes(before);
        assertThat(missingIndexes(order, more)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"Odd\" desc, status", "status nulls first, \"Odd\"", "status desc, \"Odd\" nulls first"})
    void scopeAndFilterColumnsCanLeadInAnyOrder(String leading) {
        DATABASE.run("CREATE INDEX ON indexed (\"Odd\", at, id); CREATE INDEX ON indexed (" + leading + ", at, id)");
        assertThat(missingIndexes("at", "scope.Odd", "claim:odd", "filters.status", "equals"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"Odd\", word, status, at desc, id desc",
                "status, \"Odd\", word, at, id",
                "word desc, status desc, \"Odd\" desc, at, id",
                "\"Odd\" desc nulls last, word desc, status desc nulls last, at, id"
            })
    void threeColumnsCanLeadInOneDirection(String index) {
        DATABASE.run("CREATE INDEX ON indexed (\"Odd\", word, at, id); CREATE INDEX ON indexed (" + index + ")");
        assertThat(missingIndexes(
                        "at", "scope.Odd", "claim:odd", "scope.word", "claim:word", "filters.status", "equals"))
                .isEmpty();
    }

    @Test
    void aScopeThatMatchesOneRowNeedsNoIndex() {
        assertThat(missingIndexes("at", "scope.id", "claim:id", "filters.status", "equals"))
                .isEmpty();
    }

    @Test
    void anOrderThatStartsWithTheScopeNeedsOnlyItsOwnIndex() {
        DATABASE.run("CREATE INDEX ON indexed (\"Odd\", at, id)");
        assertThat(missingIndexes("\"Odd\", at", "scope.Odd", "claim:odd")).isEmpty();
    }

    private static void fill(String at) {
        DATABASE.run("INSERT INTO indexed SELECT i, " + at
                + ", now() - i * interval '1 min', 'w', i % 500, 's' || i % 3 FROM generate_series(1, 3000) i");
        DATABASE.run("ANALYZE indexed");
    }

    /** PostgreSQL reads the index, and sorts only the rows that are equal in its columns. */
    @ParameterizedTest
    @CsvSource({
        "at desc, (at)",
        "at, '(at DESC, word)'",
        "seen desc, (seen)",
        "'\"Odd\" desc, at', '(\"Odd\" DESC, at)'",
        "'\"Odd\"', '(\"Odd\")'"
    })
    void anIndexThatLacksTheKeyServesIfFewRowsAreEqualInIt(String order, String index) {
        fill("now() - i * interval '1 s'");
        DATABASE.run("CREATE INDEX ON indexed " + index);
        assertThat(missingIndexes(order)).isEmpty();
        DATABASE.run("CREATE INDEX ON indexed (status, at)");
        assertThat(missingIndexes("at", "filters.status", "equals", "orders.p", "at desc", "default-order", "o"))
                .allMatch(missing -> missing.list().filterColumn().isEmpty());
    }

    /** A page would sort all rows of a day, or all that were never seen. */
    @ParameterizedTest
    @CsvSource({
        "at desc, (at), now()::date",
        "seen desc, (seen), now()",
        "'word, at', (word), now() - i * interval '1 s'",
        "'\"Odd\", at', (at), now() - i * interval '1 s'"
    })
    void anIndexThatLacksMoreThanTheKeyOrHasManyEqualRowsDoesNotServe(String order, String index, String at) {
        fill(at);
        DATABASE.run("UPDATE indexed SET seen = NULL WHERE id % 2 = 0; CREATE INDEX ON indexed " + index);
        DATABASE.run("ANALYZE indexed");
        assertThat(missingIndexes(order)).singleElement().satisfies(missing -> assertThat(missing.script())
                .hasSize(1));
    }

    /** PostgreSQL uses no index that places NULLs elsewhere, even if there are none. */
    @ParameterizedTest
    @CsvSource({
        "seen desc nulls last, '(seen, id)', seen desc",
        "seen desc nulls last, '(seen DESC, id DESC)', seen desc",
        "seen nulls first, '(seen, id)', seen",
        "seen desc nulls last, (seen), seen desc",
        "seen desc, '(seen DESC NULLS LAST, id DESC)', seen desc nulls last",
        "'\"Odd\" desc nulls last, seen desc nulls last', '(\"Odd\", seen, id)', 'Odd desc, seen desc'"
    })
    void anIndexThatPlacesNullsElsewhereIsNamedIfThereAreNone(String order, String index, String served) {
        fill("now()");
        DATABASE.run("CREATE INDEX ON indexed " + index);
        assertThat(missingIndexes(order)).singleElement().satisfies(missing -> {
            assertThat(missing.script()).isEmpty();
            assertThat(missing.description())
                    .isEqualTo(
                            "order o: as far as is known, its columns have no NULLs, and an existing index serves the"
                                    + " order \"" + served + '"');
        });
        assertThat(missingIndexes(served.replace("Odd", "\"Odd\""))).isEmpty();

        DATABASE.run("UPDATE indexed SET seen = NULL WHERE id % 5 = 0");
        DATABASE.run("ANALYZE indexed");
        assertThat(missingIndexes(order)).singleElement().satisfies(missing -> assertThat(missing.script())
                .hasSize(1));
    }

    @Test
    void anIndexUnderAJoinOfNotNullColumnsIsNamed() {
        DATABASE.run("""
                CREATE INDEX ON indexed (at, id);
                CREATE VIEW indexed_joined AS SELECT i.id, i.at, o.at AS other FROM indexed i LEFT JOIN indexed o ON o.id = i.id + 1;
                CREATE VIEW indexed_nested AS SELECT id, at, other FROM indexed_joined;
                """);
        for (String view : List.of("indexed_joined", "indexed_nested")) {
            assertThat(DATABASE.missingIndexes(
                            DATABASE.feed("table", view, "key", "id", "orders.o", "at desc nulls last")))
                    .singleElement()
                    .satisfies(missing -> {
                        assertThat(missing.isServedWithDefaultNulls()).isTrue();
                        assertThat(missing.description()).endsWith(" serves the order \"at desc\"");
                    });
            assertThat(DATABASE.missingIndexes(DATABASE.feed("table", view, "key", "id", "orders.o", "at desc")))
                    .isEmpty();
            assertThat(DATABASE.missingIndexes(
                            DATABASE.feed("table", view, "key", "id", "orders.o", "other desc nulls last")))
                    .noneMatch(missing -> missing.isServedWithDefaultNulls());
        }
    }

    @Test
    void anIndexUnderAViewServesItsFeed() {
        DATABASE.run("""
                ALTER TABLE indexed RENAME TO indexed_base;
                CREATE VIEW indexed AS SELECT * FROM indexed_base WHERE word <> '';
                """);
        assertThat(missingIndexes("at", "key", "id")).hasSize(1);
        DATABASE.run("CREATE INDEX ON indexed_base (at, id)");
        assertThat(missingIndexes("at", "key", "id")).isEmpty();
        DATABASE.run("DROP TABLE indexed_base CASCADE");
    }
}
