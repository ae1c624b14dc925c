package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedExplainer.StatementPlan;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.Walk.PageWithItems;
import dev.tidemark.postgres.catalogue.PageExplainer;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.RangeSql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A search is read through an index of trigrams if PostgreSQL expects few matches, and otherwise in the list's order.
 */
@UsesTestDatabase
@Tag("every-postgres")
class TextIndexTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int SCAN = 1000;

    /** One row has the word {@code zeppelin}, and all have {@code common}. */
    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                CREATE EXTENSION IF NOT EXISTS pg_trgm;
                DROP TABLE IF EXISTS missives;
                CREATE TABLE missives (id bigint PRIMARY KEY, made int NOT NULL, hidden boolean NOT NULL,
                  subject text COLLATE "C" NOT NULL, body varchar(200) COLLATE "C");
                INSERT INTO missives SELECT i, abs(hashint8(i)) % 5000, i % 10 = 0,
                  CASE i WHEN 777 THEN 'Zeppelin' ELSE 'subject ' || i END, 'common ' || md5(i::text)
                FROM generate_series(1, 20000) i;
                CREATE INDEX ON missives (made DESC, id DESC);
                CREATE INDEX missives_text ON missives USING gin (subject gin_trgm_ops, body gin_trgm_ops);
                VACUUM ANALYZE missives;
                DROP TABLE IF EXISTS postcards;
                CREATE TABLE postcards (LIKE missives INCLUDING ALL);
                """);
    }

    private static Feed feed(String table, String... more) {
        List<String> properties = new ArrayList<>(List.of("table", table, "columns", "id"));
        properties.addAll(List.of("orders.o", "made desc", "filters.subject", "text", "filters.body", "text"));
        properties.addAll(List.of("search.columns", "subject, body", "search.scan", Integer.toString(SCAN)));
        properties.addAll(List.of(more));
        return DATABASE.feed(properties.toArray(String[]::new));
    }

    private static Walk search(Feed feed, String... words) {
        return new Walk(
                DATABASE.reader(),
                feed,
                5,
                new Condition.Search(feed.policy().search().columns(), List.of(words)));
    }

    /** The conditions of a statement that counts or is planned for its values. An index can't find those in a CASE. */
    private static String condition(ListState state) {
        return new RangeSql(state.feed(), state.order(), ListShape.of(state), 1).condition();
    }

    private static PageWithItems firstPage(Walk search) {
        return search.read(Optional.empty());
    }

    /** Scrolls over partial pages, too. */
    private static List<String> allItems(Walk search) {
        PageWithItems read = firstPage(search);
        List<String> items = new ArrayList<>(read.items());
        while (read.page().hasNext()) {
            read = search.after(read.page());
            items.addAll(read.items());
        }
        return items;
    }

    /** The number of statements that were run in the sessions for indexes on text. */
    private static long statements() {
        return DATABASE.metrics()
                .get("tidemark.statements")
                .tag("connections", "text")
                .timer()
                .count();
    }

    @Test
    void aRareWordIsFoundAtOnce() {
        long before = statements();
        Walk walk = search(feed("missives"), "zeppelin");
        PageWithItems read = firstPage(walk);
        assertThat(read.items()).containsExactly("777");
        assertThat(read.page().hasNext()).isFalse();
        assertThat(read.page().scanEnds().partial()).isFalse();
        assertThat(statements() - before).as("the EXPLAIN, and the page").isEqualTo(2);
    }

    @Test
    void pagesOfARareWordFollowOneAnother() {
        Feed feed = feed("missives");
        List<String> expected = DATABASE
                .rows("SELECT id::text FROM missives WHERE subject ILIKE '%999%' OR body ILIKE '%999%'"
                        + " ORDER BY made DESC, missives.id DESC")
                .stream()
                .map(row -> row.getString(0))
                .toList();
        Walk walk = search(feed, "999");
        assertThat(walk.forward()).hasSizeGreaterThan(20).isEqualTo(expected);
        assertThat(walk.backward()).isEqualTo(expected);
    }

    @Test
    void aFrequentWordIsFoundInTheOrderOfTheList() {
        long before = statements();
        Walk walk = search(feed("missives"), "common");
        PageWithItems read = firstPage(walk);
        assertThat(read.items()).hasSize(5);
        walk.after(read.page());
        assertThat(statements() - before).as("only the EXPLAIN").isEqualTo(1);
    }

    /** The index has no trigram for words of one or two characters, so it would be read as a whole. */
    @Test
    void aWordWithoutTrigramsIsFoundInTheOrderOfTheList() {
        Walk walk = search(feed("missives"), "zq");
        assertThat(firstPage(walk).page().scanEnds().partial()).isTrue();
    }

    @Test
    void aFilterOnTextIsServedToo() {
        Feed feed = feed("missives");
        Walk walk = new Walk(
                DATABASE.reader(),
                feed,
                5,
                new Condition.Contains(feed.filters().get("subject").column(), "zeppelin"));
        assertThat(firstPage(walk).page().hasNext()).isFalse();
        Walk unserved = new Walk(
                DATABASE.reader(),
                feed,
                5,
                new Condition.Contains(feed.filters().get("subject").column(), "zeppelin"),
                new Condition.Search(feed.policy().search().columns(), List.of("common")));
        assertThat(firstPage(unserved).items()).containsExactly("777");
    }

    /** Without statistics of the column, PostgreSQL expects that hardly a row has these eight letters. */
    @Test
    void moreMatchesThanExpectedAreFoundInTheOrderOfTheList() {
        DATABASE.run("""
                DROP TABLE IF EXISTS unknown_letters;
                CREATE TABLE unknown_letters (LIKE missives INCLUDING ALL);
                ALTER TABLE unknown_letters ALTER subject SET STATISTICS 0;
                INSERT INTO unknown_letters SELECT * FROM missives;
                VACUUM ANALYZE unknown_letters;
                """);
        List<String> expected = DATABASE
                .rows(
                        "SELECT id::text FROM missives WHERE subject LIKE 'subject 1%' ORDER BY made DESC, missives.id DESC")
                .stream()
                .map(row -> row.getString(0))
                .toList();
        assertThat(expected).hasSizeGreaterThan(SCAN);
        long before = statements();
        Walk walk = search(feed("unknown_letters"), "subject 1");
        PageWithItems read = firstPage(walk);
        assertThat(read.items()).isEqualTo(expected.subList(0, 5));
        assertThat(statements() - before).as("the EXPLAIN, and the page").isEqualTo(2);
        assertThat(walk.after(read.page()).items()).isEqualTo(expected.subList(5, 10));
        assertThat(statements() - before).as("the index is not tried again").isEqualTo(2);
    }

    /** Stands for a statement that reads more rows than expected, and therefore times out, or that fails. */
    @ParameterizedTest
    @CsvSource({"57014, 2", "53300, 4", "22012, 4"})
    void aReadThatFailsEndsInTheOrderOfTheList(String sqlState, int statementsOfTwoPages) {
        DATABASE.run("""
                CREATE OR REPLACE FUNCTION failing(id bigint) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
                  BEGIN
                    IF current_setting('plan_cache_mode') = 'force_custom_plan' THEN
                      RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '%s'; END IF; RETURN true; END $$;
                """.formatted(sqlState));
        long before = statements();
        Walk walk = search(feed("missives", "visible", "failing(id)"), "zeppelin");
        PageWithItems read = firstPage(walk);
        assertThat(read.page().scanEnds().partial()).isTrue();
        assertThat(statements() - before).as("the EXPLAIN, and the page").isEqualTo(2);
        walk.after(read.page());
        assertThat(statements() - before)
                .as("after a timeout, the index is not tried again")
                .isEqualTo(statementsOfTwoPages);
        assertThat(allItems(walk)).containsExactly("777");
    }

    /** A page around a gap looks at half as many rows on each side only in the order of the list. */
    @Test
    void aPageAroundAnItemIsReadThroughTheIndexToo() {
        DATABASE.run("""
                DROP TABLE IF EXISTS many_letters;
                CREATE TABLE many_letters (LIKE missives INCLUDING ALL);
                INSERT INTO many_letters SELECT id, made, hidden, CASE WHEN id % 25 = 0 THEN 'quagga' ELSE subject END, body
                FROM missives;
                VACUUM ANALYZE many_letters;
                """);
        Walk walk = search(feed("many_letters"), "quagga");
        PageWithItems first = firstPage(walk);
        long before = statements();
        PageWithItems around =
                walk.read(new PageRequest(first.page().nextContinuation(), 5, OptionalInt.of(2), Optional.empty()));
        assertThat(around.items().subList(0, 2)).isEqualTo(first.items().subList(3, 5));
        assertThat(around.items()).hasSize(5);
        assertThat(around.page().scanEnds().partial()).isFalse();
        walk.after(first.page());
        assertThat(statements() - before).as("an EXPLAIN and a page for each").isEqualTo(4);
    }

    @Test
    void anIndexOnAColumnOfTheDatabasesCollationIsUsedIfItKnowsTheSameCases() {
        DATABASE.run("""
                DROP TABLE IF EXISTS plain_letters;
                CREATE TABLE plain_letters (id bigint PRIMARY KEY, made int NOT NULL, subject text, body text);
                CREATE INDEX ON plain_letters USING gin (subject gin_trgm_ops, body gin_trgm_ops);
                """);
        boolean knowsSameCases = DATABASE.rows(
                        "SELECT datlocprovider = 'c' FROM pg_database WHERE datname = current_database()")
                .get(0)
                .getBoolean(0);
        assertThat(isServed(feed("plain_letters"), "subject")).isEqualTo(knowsSameCases);
    }

    /** In other collations, an index of trigrams can miss what ILIKE matches: it knows the cases of the database. */
    @Test
    void anIndexOnAColumnOfAnotherCollationIsNotUsed() {
        DATABASE.run("""
                DROP TABLE IF EXISTS greek_letters;
                CREATE TABLE greek_letters (id bigint PRIMARY KEY, made int NOT NULL, subject text COLLATE "und-x-icu",
                  body text COLLATE "C");
                INSERT INTO greek_letters SELECT i, i, md5(i::text), md5(i::text) FROM generate_series(1, 20000) i;
                INSERT INTO greek_letters VALUES (20001, 1, 'ΟΔΟΣ ΑΘΗΝΩΝ', ''), (20002, 2, 'οδος αθηνων', '');
                CREATE INDEX ON greek_letters (made DESC, id DESC);
                CREATE INDEX ON greek_letters USING gin (subject gin_trgm_ops);
                CREATE INDEX ON greek_letters USING gin (body gin_trgm_ops);
                VACUUM ANALYZE greek_letters;
                """);
        Feed feed = feed("greek_letters");
        assertThat(isServed(feed, "subject")).isFalse();
        assertThat(isServed(feed, "body")).isTrue();
        Feed bySubject = feed("greek_letters", "search.columns", "subject");
        assertThat(allItems(search(bySubject, "οδος"))).containsExactly("20002", "20001");
        assertThat(condition(search(bySubject, "οδος").state())).contains("CASE WHEN", "ILIKE");
        Feed byBody = feed("greek_letters", "search.columns", "body");
        assertThat(condition(search(byBody, "ab").state())).contains("ILIKE").doesNotContain("CASE WHEN");
    }

    /** A Turkish database turns {@code I} into another letter than {@code i}, and ILIKE in the collation C does not. */
    @ParameterizedTest
    @CsvSource({
        "LOCALE_PROVIDER libc LOCALE 'C', true, true, 15",
        "LOCALE_PROVIDER icu ICU_LOCALE 'und', false, false, 15",
        "LOCALE_PROVIDER icu ICU_LOCALE 'tr', false, false, 15",
        "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8', false, true, 17",
        "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'PG_UNICODE_FAST', false, false, 18"
    })
    void aSearchIsCompleteWhateverTheCasesOfTheDatabaseAre(
            String locale, boolean servesItsCollation, boolean servesC, int sinceMajor) {
        DATABASE.assumeAtLeast(sinceMajor);
        TestDatabase database = TestDatabase.empty(locale);
        try {
            database.run("""
                    CREATE EXTENSION pg_trgm;
                    CREATE TABLE letters (id bigint PRIMARY KEY, made int NOT NULL, plain text, ascii text COLLATE "C");
                    INSERT INTO letters SELECT i, i, t, t FROM generate_series(1, 20000) i, md5(i::text) t;
                    INSERT INTO letters SELECT 20000 + i, i, t, t FROM unnest('{ZEPPELIN,zeppelin}'::text[])
                      WITH ORDINALITY words(t, i);
                    CREATE INDEX ON letters USING gin (plain gin_trgm_ops);
                    CREATE INDEX ON letters USING gin (ascii gin_trgm_ops);
                    CREATE INDEX ON letters (made DESC, id DESC);
                    VACUUM ANALYZE letters;
                    """);
            for (String column : List.of("plain", "ascii")) {
                Feed feed = database.feed(
                        "table", "letters", "columns", "id", "orders.o", "made desc", "search.columns", column);
                assertThat(isServed(feed, column))
                        .as(column)
                        .isEqualTo(column.equals("plain") ? servesItsCollation : servesC);
                List<String> matches = database
                        .rows("SELECT id::text FROM letters WHERE " + column + " || '' ILIKE '%zeppelin%'"
                                + " ORDER BY made DESC")
                        .stream()
                        .map(row -> row.getString(0))
                        .toList();
                Walk walk = new Walk(
                        database.reader(),
                        feed,
                        5,
                        new Condition.Search(feed.policy().search().columns(), List.of("zeppelin")));
                assertThat(allItems(walk)).as(column).isEqualTo(matches).contains("20002");
            }
        } finally {
            database.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"it's\"", "\"say \"\"it's\""})
    void aQuoteInTheNameOfAColumnHidesNoIndex(String name) {
        DATABASE.run("DROP TABLE IF EXISTS quoted_letters;\nCREATE TABLE quoted_letters (id bigint PRIMARY KEY,"
                + " made int NOT NULL, " + name + " text COLLATE \"C\");\nCREATE INDEX ON quoted_letters USING gin ("
                + name
                + " gin_trgm_ops);\n");
        String column = name.substring(1, name.length() - 1).replace("\"\"", "\"");
        Feed feed = DATABASE.feed(
                "table", "quoted_letters", "columns", "id", "orders.o", "made desc", "search.columns", column);
        assertThat(isServed(feed, column)).isTrue();
    }

    /** So nothing was shown if the statement runs out of time after its first rows. */
    @Test
    void noRowIsPassedOnBeforeAllHaveArrived() {
        Feed feed = feed("missives");
        ListState state = search(feed, "999").state();
        PageRequest request = new PageRequest(Optional.empty(), 5);
        PageShape shape = PageShape.of(state, request).throughTextIndex();
        OrderStatements statements = new OrderStatements(feed, state.order());
        List<Long> items = new ArrayList<>();
        PageReceiver collector = DATABASE.database()
                .read(
                        statements.page(shape),
                        shape.parameters(state, request),
                        () -> new PageReceiver(request, shape, statements.columns(), row -> items.add(row.integer(0))),
                        ReadPreference.ofPage(state, request))
                .await()
                .atMost(Duration.ofSeconds(9))
                .value();
        assertThat(items).isEmpty();
        assertThat(collector.page().size()).isEqualTo(5);
        assertThat(items).hasSize(5);
    }

    @Test
    void thePlansOfBothWaysAreExplained() {
        Walk walk = search(feed("missives"), "zeppelin");
        List<StatementPlan> plans = new PageExplainer(DATABASE.database())
                .explain(walk.state(), new PageRequest(Optional.empty(), 5))
                .await()
                .atMost(Duration.ofSeconds(9));
        assertThat(plans)
                .extracting(StatementPlan::name)
                .containsExactly("page if few rows match", "page if many rows match");
        assertThat(plans).extracting(StatementPlan::indexed).containsExactly(false, true);
        assertThat(plans.get(0).plan()).anyMatch(line -> line.contains("Bitmap Index Scan on missives_text"));
        assertThat(plans.get(1).plan()).noneMatch(line -> line.contains("missives_text"));
    }

    private static boolean isServed(Feed feed, String column) {
        return feed.indexes()
                .hasText(feed.searchedColumns().stream()
                        .filter(each -> each.name().equals(column))
                        .findFirst()
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "USING gin (subject gin_trgm_ops)",
                "USING gist (subject gist_trgm_ops)",
                "USING gin (subject gin_trgm_ops) WHERE NOT hidden",
                "USING gin ((subject::text) gin_trgm_ops)",
            })
    void anIndexIsFoundInAnEmptyTable(String index) {
        DATABASE.run("DROP INDEX IF EXISTS postcards_subject_body_idx;\n");
        DATABASE.run("DROP INDEX IF EXISTS postcards_one;\nCREATE INDEX postcards_one ON postcards " + index + ";\n");
        Feed feed = feed("postcards", "visible", "NOT hidden");
        assertThat(isServed(feed, "subject")).isTrue();
        assertThat(isServed(feed, "body")).isFalse();
        DATABASE.run("DROP INDEX postcards_one;\n");
        assertThat(isServed(feed("postcards"), "subject")).isFalse();
    }

    @Test
    void aRoleThatCanOnlyReadUsesTheIndexUnlessPoliciesApplyToIt() {
        DATABASE.run("""
                DO $$ BEGIN CREATE ROLE text_reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
                DROP TABLE IF EXISTS private_letters;
                CREATE TABLE private_letters (LIKE missives INCLUDING ALL);
                INSERT INTO private_letters SELECT * FROM missives;
                GRANT SELECT ON missives, private_letters TO text_reader;
                CREATE POLICY seen ON private_letters USING (NOT hidden);
                ALTER TABLE private_letters ENABLE ROW LEVEL SECURITY;
                VACUUM ANALYZE private_letters;
                """);
        TestDatabase reading = DATABASE.as("text_reader");
        try {
            for (String table : List.of("missives", "private_letters")) {
                Feed feed = reading.feed(
                        "table", table, "columns", "id", "orders.o", "made desc", "search.columns", "subject, body");
                assertThat(isServed(feed, "subject")).isEqualTo(table.equals("missives"));
                Condition search = new Condition.Search(feed.policy().search().columns(), List.of("zeppelin"));
                assertThat(new Walk(reading.reader(), feed, 5, search)
                                .read(Optional.empty())
                                .page()
                                .scanEnds()
                                .partial())
                        .isEqualTo(table.equals("private_letters"));
            }
        } finally {
            reading.close();
        }
    }

    @Test
    void indexesUnderAViewAndOfPartitionsAreUsed() {
        DATABASE.run("""
                DROP VIEW IF EXISTS seen_letters;
                CREATE VIEW seen_letters AS SELECT id, made, subject, body FROM missives WHERE NOT hidden;
                DROP TABLE IF EXISTS monthly_letters;
                CREATE TABLE monthly_letters (LIKE missives) PARTITION BY RANGE (id);
                CREATE TABLE monthly_letters_1 PARTITION OF monthly_letters FOR VALUES FROM (0) TO (10000);
                CREATE TABLE monthly_letters_2 PARTITION OF monthly_letters FOR VALUES FROM (10000) TO (90000);
                CREATE TABLE monthly_letters_3 PARTITION OF monthly_letters FOR VALUES FROM (90000) TO (99000);
                INSERT INTO monthly_letters SELECT * FROM missives;
                CREATE UNIQUE INDEX ON monthly_letters (id);
                CREATE INDEX ON monthly_letters (made DESC, id DESC);
                CREATE INDEX ON monthly_letters USING gin (subject gin_trgm_ops, body gin_trgm_ops);
                VACUUM ANALYZE monthly_letters;
                """);
        for (String table : List.of("seen_letters", "monthly_letters")) {
            long before = statements();
            PageWithItems read = firstPage(search(feed(table, "key", "id"), "zeppelin"));
            assertThat(read.items()).as(table).containsExactly("777");
            assertThat(read.page().hasNext()).as(table).isFalse();
            assertThat(statements() - before).as(table).isEqualTo(2);
        }
    }

    @Test
    void anIndexOnADerivedColumnIsFound() {
        DATABASE.run("CREATE INDEX postcards_both ON postcards USING gin ((subject || ' ' || body) gin_trgm_ops);\n");
        Feed feed = feed("postcards", "derived.both", "subject || ' ' || body", "search.columns", "both");
        assertThat(isServed(feed, "both")).isTrue();
    }
}
