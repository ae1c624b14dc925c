package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.Catalogue.MissingIndex;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements that a warning suggests can be executed and remove the warning, for any kind of relation. */
@UsesTestDatabase
class SuggestedIndexesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private static List<MissingIndex> missingIndexes(String... properties) {
        return DATABASE.missingIndexes(DATABASE.feed(properties));
    }

    private static void assertStatementsRemoveWarnings(String... properties) {
        List<MissingIndex> before = missingIndexes(properties);
        assertThat(before).isNotEmpty().allMatch(missing -> missing.script().size() == 1);
        for (int run = 1; run <= 2; run++) {
            before.forEach(missing -> DATABASE.run(missing.script().get(0)));
            assertThat(missingIndexes(properties)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "end",
                "user",
                "order",
                "desc",
                "current_date",
                "left",
                "Odd \"one\"",
                "a.b",
                "ünï",
                "select",
                "near"
            })
    void suggestionsWorkForUnusualNames(String name) {
        String quoted = SqlQuoting.quoteIdentifier(name);
        DATABASE.run("DROP TABLE IF EXISTS " + quoted);
        DATABASE.run("CREATE TABLE " + quoted + " (id bigint PRIMARY KEY, " + quoted + " int, status varchar(9))");
        assertStatementsRemoveWarnings(
                "table", quoted, "orders.o", quoted + " desc nulls last", "filters.status", "equals");
        DATABASE.run("DROP TABLE " + quoted);
    }

    @Test
    void indexesThatDifferOnlyInDirectionsHaveDifferentNamesEvenIfLong() {
        String table = "ein sehr langer Name für eine Tabelle mit vielen Wörtern";
        DATABASE.run("DROP TABLE IF EXISTS " + SqlQuoting.quoteIdentifier(table));
        DATABASE.run("CREATE TABLE " + SqlQuoting.quoteIdentifier(table) + " (id bigint PRIMARY KEY, größe int)");
        assertStatementsRemoveWarnings(
                "table",
                SqlQuoting.quoteIdentifier(table),
                "orders.a",
                "größe desc, id",
                "orders.b",
                "größe",
                "default-order",
                "a");
        DATABASE.run("DROP TABLE " + SqlQuoting.quoteIdentifier(table));
    }

    /**
     * {@code CREATE INDEX IF NOT EXISTS} does nothing if a failed build has left an invalid index of the same name.
     */
    @Test
    void theScriptReplacesAnIndexWhoseCreationFailed() {
        DATABASE.run("DROP TABLE IF EXISTS failed_in; CREATE TABLE failed_in (id bigint PRIMARY KEY, n int NOT NULL)");
        String[] feed = {"table", "failed_in", "orders.o", "n desc"};
        String statement = missingIndexes(feed).get(0).script().get(0);
        DATABASE.run(statement);
        DATABASE.run(
                "UPDATE pg_index SET indisvalid = false WHERE indrelid = 'failed_in'::regclass AND NOT indisunique");

        MissingIndex failed = missingIndexes(feed).get(0);
        assertThat(failed.description())
                .matches("order o: the creation of public.failed_in_n_id_idx_\\w+ has failed.*");
        assertThat(failed.script()).hasSize(2).last().isEqualTo(statement);
        failed.script().forEach(DATABASE::run);
        assertThat(missingIndexes(feed)).isEmpty();
    }

    @Test
    void theSuggestionForAMaterializedViewIsExecutable() {
        DATABASE.run("""
                DROP MATERIALIZED VIEW IF EXISTS stored;
                CREATE MATERIALIZED VIEW stored AS SELECT i::bigint AS id, i % 3 AS n FROM generate_series(1, 9) i;
                """);
        assertStatementsRemoveWarnings("table", "stored", "key", "id", "orders.o", "n desc");
    }

    private static void makeView(String definition) {
        DATABASE.run("""
                DROP VIEW IF EXISTS over_in;
                CREATE SCHEMA IF NOT EXISTS "Under";
                DROP TABLE IF EXISTS "Under"."End", clinics_in CASCADE;
                DROP TABLE IF EXISTS split_in CASCADE;
                CREATE TABLE clinics_in (id int PRIMARY KEY, label text NOT NULL);
                CREATE TABLE "Under"."End" (id bigint PRIMARY KEY, n int NOT NULL, "Seen at" timestamptz, "desc" varchar(9),
                  c varchar(99) COLLATE "C" NOT NULL, status varchar(9), clinic int NOT NULL REFERENCES clinics_in, gone timestamptz);
                CREATE TABLE split_in (id bigint PRIMARY KEY, n int NOT NULL, "Seen at" timestamptz, "desc" varchar(9),
                  c varchar(99) COLLATE "C" NOT NULL, status varchar(9)) PARTITION BY RANGE (id);
                CREATE TABLE split_in1 PARTITION OF split_in FOR VALUES FROM (1) TO (9);
                CREATE VIEW over_in AS %s;
                """.formatted(definition));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM \"Under\".\"End\"",
                "SELECT * FROM \"Under\".\"End\" WHERE gone IS NULL AND n > 3",
                "SELECT id, n, s AS \"Seen at\", \"desc\", c, status FROM (SELECT *, \"Seen at\" AS s FROM \"Under\".\"End\") e",
                "SELECT e.*, k.label FROM \"Under\".\"End\" e JOIN clinics_in k ON k.id = e.clinic",
                "SELECT e.*, k.label FROM clinics_in k JOIN \"Under\".\"End\" e ON k.id = e.clinic WHERE k.label <> ''",
                "SELECT e.*, k.label FROM \"Under\".\"End\" e LEFT JOIN clinics_in k ON k.label = e.status",
                "SELECT e.*, k.label FROM clinics_in k RIGHT JOIN \"Under\".\"End\" e ON k.label = e.status",
                "SELECT e.*, o.n AS other FROM \"Under\".\"End\" e JOIN \"Under\".\"End\" o ON o.id = e.n LEFT JOIN clinics_in k ON k.id = o.clinic",
                "SELECT * FROM \"Under\".\"End\" e WHERE EXISTS (SELECT 1 FROM clinics_in k WHERE k.label = e.status)",
                "SELECT * FROM \"Under\".\"End\" e WHERE NOT EXISTS (SELECT 1 FROM clinics_in k WHERE k.label = e.status)",
                "SELECT e.*, (SELECT max(k.label) FROM clinics_in k WHERE k.id = e.clinic) AS label FROM \"Under\".\"End\" e",
                "SELECT e.*, p.label FROM \"Under\".\"End\" e CROSS JOIN LATERAL (SELECT max(k.label) AS label FROM clinics_in k WHERE k.id < e.clinic) p"
            })
    void theSuggestionForAViewIsAnIndexOnTheTableThatItsOrderComesFrom(String definition) {
        for (String order : List.of(
                "n desc", "\"Seen at\" desc nulls last", "\"desc\" nulls first, n desc", "c desc, \"Seen at\" desc")) {
            makeView(definition);
            assertStatementsRemoveWarnings(
                    "table", "over_in", "key", "id", "orders.o", order, "filters.status", "equals");
        }
    }

    @Test
    void theSuggestionForAViewHasTheColumnNamesOfTheTable() {
        makeView("SELECT id AS number, n AS created, \"desc\" AS status FROM \"Under\".\"End\"");
        assertThat(missingIndexes("table", "over_in", "key", "number", "orders.o", "created desc, status"))
                .singleElement()
                .satisfies(
                        missing -> assertThat(missing.script())
                                .singleElement()
                                .asString()
                                .matches(
                                        "CREATE INDEX CONCURRENTLY IF NOT EXISTS \"End_n_desc_id_idx_\\w+\" ON \"Under\"\\.\"End\" \\(n DESC, \"desc\", id\\);"));
    }

    /** No index on one table can provide these orders, or Tidemark does not know which. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, n + 1 AS n FROM \"Under\".\"End\"",
                "SELECT e.id, k.id AS n FROM \"Under\".\"End\" e JOIN clinics_in k ON k.label = e.status",
                "SELECT e.id, e.n FROM clinics_in k LEFT JOIN \"Under\".\"End\" e ON k.label = e.status",
                "SELECT e.id, e.n FROM clinics_in k FULL JOIN \"Under\".\"End\" e ON k.id = e.clinic",
                "SELECT id, n FROM \"Under\".\"End\" UNION ALL SELECT id, id FROM clinics_in",
                "SELECT id, max(n) AS n FROM \"Under\".\"End\" GROUP BY id",
                "SELECT DISTINCT id, n FROM \"Under\".\"End\"",
                "SELECT id, n FROM \"Under\".\"End\" ORDER BY c LIMIT 9",
                "WITH e AS MATERIALIZED (SELECT * FROM \"Under\".\"End\") SELECT id, n FROM e",
                "SELECT i::bigint AS id, i AS n FROM generate_series(1, 9) i",
                "SELECT id, n FROM split_in"
            })
    void aViewWhoseOrderNoIndexOfOneTableProvidesGetsNoSuggestion(String definition) {
        makeView(definition);
        assertThat(missingIndexes("table", "over_in", "key", "id", "orders.o", "n desc"))
                .hasSize(1)
                .allMatch(missing -> missing.script().isEmpty());
    }

    @Test
    void theScriptForAViewReplacesAnIndexWhoseCreationFailed() {
        makeView("SELECT * FROM \"Under\".\"End\"");
        String[] feed = {"table", "over_in", "key", "id", "orders.o", "n desc"};
        DATABASE.run(missingIndexes(feed).get(0).script().get(0));
        DATABASE.run(
                "UPDATE pg_index SET indisvalid = false WHERE indrelid = '\"Under\".\"End\"'::regclass AND NOT indisunique");
        missingIndexes(feed).get(0).script().forEach(DATABASE::run);
        assertThat(missingIndexes(feed)).isEmpty();
    }

    /** PostgreSQL rejects an index on the column, but its planner replaces the column by its expression. */
    @Test
    void aVirtualColumnGetsTheReasonWhyNoIndexIsPossibleInPlaceOfASuggestion() {
        DATABASE.assumeAtLeast(18);
        DATABASE.run("""
                DROP TABLE IF EXISTS bills_in, parted_bills_in CASCADE;
                CREATE TABLE bills_in (id bigint PRIMARY KEY, total numeric NOT NULL, active boolean GENERATED ALWAYS AS (total > 50),
                  vat numeric GENERATED ALWAYS AS (total * 0.19) VIRTUAL NOT NULL);
                CREATE TABLE parted_bills_in (LIKE bills_in INCLUDING ALL) PARTITION BY RANGE (id);
                CREATE TABLE parted_bills_in1 PARTITION OF parted_bills_in FOR VALUES FROM (1) TO (9);
                """);
        for (String table : List.of("bills_in", "parted_bills_in")) {
            String[] feed = {
                "table",
                table,
                "orders.dear",
                "vat desc",
                "orders.cheap",
                "vat",
                "orders.large",
                "total desc",
                "default-order",
                "dear",
                "filters.active",
                "equals"
            };
            List<MissingIndex> missing = missingIndexes(feed);
            assertThat(missing).hasSize(6);
            missing.stream()
                    .filter(index -> !index.list().description().equals("order large"))
                    .forEach(index -> {
                        assertThat(index.script()).isEmpty();
                        assertThat(index.description())
                                .matches(
                                        ".*: (vat|active) is a virtual generated column, which PostgreSQL cannot index;"
                                                + " make it STORED, or index its expression");
                    });
            assertThat(missing)
                    .filteredOn(index -> index.list().description().equals("order large"))
                    .singleElement()
                    .satisfies(index -> assertThat(index.script()).isNotEmpty());
            DATABASE.run("CREATE INDEX ON " + table + " ((total * 0.19), id)");
            assertThat(missingIndexes(feed)).hasSize(4);
        }
    }

    /**
     * With an index on these columns, PostgreSQL would reject rows that the application can insert now. The statistics
     * show only what was inserted until now.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text",
                "varchar",
                "varchar(1000)",
                "text CHECK (length(t) <= 1000)",
                "text CHECK (length(t) <= 100 OR n > 3)",
                "text CHECK (length(t) > 100)",
                "text CHECK (t NOT IN ('a', 'b'))",
                "wide_in",
                "text COLLATE \"C\" NOT NULL DEFAULT ''",
                "text GENERATED ALWAYS AS (repeat('x', n)) STORED"
            })
    void noIndexIsSuggestedOnTextThatCanBeLong(String type) {
        makeTexts(type);
        for (String[] feed : List.of(
                new String[] {"table", "texts_in", "orders.o", "t, n desc"},
                new String[] {"table", "texts_in", "orders.o", "n", "filters.t", "equals"},
                new String[] {"table", "texts_in", "orders.o", "n", "scope.t", "claim:t"},
                new String[] {"table", "texts_view_in", "key", "id", "orders.o", "other desc"})) {
            DATABASE.run("CREATE INDEX IF NOT EXISTS texts_n ON texts_in (n, id)");
            assertThat(missingIndexes(feed)).singleElement().satisfies(missing -> {
                assertThat(missing.script()).isEmpty();
                assertThat(missing.description())
                        .contains(
                                ": t can have texts of ",
                                "PostgreSQL rejects rows whose indexed values take more than 2,704 bytes;");
            });
        }
    }

    private static void makeTexts(String type) {
        DATABASE.run("""
                DROP TABLE IF EXISTS texts_in CASCADE;
                DROP DOMAIN IF EXISTS short_in, shorter_in, wide_in, listed_in;
                CREATE DOMAIN short_in AS text CHECK (char_length(VALUE) < 100);
                CREATE DOMAIN shorter_in AS short_in;
                CREATE DOMAIN wide_in AS varchar(700);
                CREATE DOMAIN listed_in AS text CHECK (VALUE IN ('a', 'b'));
                CREATE TABLE texts_in (id bigint PRIMARY KEY, n int NOT NULL, t %s);
                CREATE VIEW texts_view_in AS SELECT id, t AS other FROM texts_in;
                """.formatted(type));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "varchar(200)",
                "char(9)",
                "name",
                "shorter_in",
                "listed_in",
                "text CHECK (char_length(t) <= 255)",
                "text CHECK (t IS NULL OR octet_length(t) BETWEEN 1 AND 2000)",
                "varchar CHECK (t IN ('open', 'done'))",
                "text UNIQUE",
                "text REFERENCES clinics_in (label)"
            })
    void anIndexIsSuggestedOnTextThatIsShort(String type) {
        DATABASE.run("""
                DROP TABLE IF EXISTS clinics_in CASCADE;
                CREATE TABLE clinics_in (id int PRIMARY KEY, label text NOT NULL UNIQUE);
                """);
        makeTexts(type);
        assertStatementsRemoveWarnings("table", "texts_in", "orders.o", "t, n desc");
        assertStatementsRemoveWarnings("table", "texts_view_in", "key", "id", "orders.o", "other desc");
    }

    @Test
    void textsThatAreShortAloneCanBeTooLongTogether() {
        DATABASE.run(
                "DROP TABLE IF EXISTS long_in; CREATE TABLE long_in (id bigint PRIMARY KEY, a varchar(400), b varchar(400))");
        assertThat(missingIndexes("table", "long_in", "orders.o", "a", "filters.b", "equals"))
                .extracting(missing -> missing.script().size())
                .containsExactly(1, 0);
    }

    /** Few short values in many rows are names of states. What people write can be longer at any time. */
    @Test
    void statisticsShowThatAColumnHasFewShortTexts() {
        DATABASE.run("""
                DROP TABLE IF EXISTS states_in;
                CREATE TABLE states_in (id bigint PRIMARY KEY, n int NOT NULL, status text, author text, note_kind text, code text);
                CREATE INDEX ON states_in (n, id);
                INSERT INTO states_in SELECT i, i, (ARRAY['open', 'in progress', 'done'])[1 + i % 3], 'author ' || i % 20,
                  CASE i WHEN 1 THEN repeat('x', 99) ELSE 'short' END, 'code ' || i FROM generate_series(1, 2000) i;
                """);
        assertThat(missingIndexes("table", "states_in", "orders.o", "n", "filters.status", "equals"))
                .singleElement()
                .satisfies(missing -> assertThat(missing.script()).isEmpty());
        DATABASE.run("ANALYZE states_in");
        assertStatementsRemoveWarnings("table", "states_in", "orders.o", "n", "filters.status", "equals");
        for (String column : List.of("author", "note_kind", "code")) {
            assertThat(missingIndexes("table", "states_in", "orders.o", "n", "filters." + column, "equals"))
                    .as(column)
                    .singleElement()
                    .satisfies(missing -> assertThat(missing.script()).isEmpty());
        }
    }

    @Test
    void anInheritanceParentGetsNoSuggestion() {
        DATABASE.run("""
                DROP TABLE IF EXISTS heir_base CASCADE;
                CREATE TABLE heir_base (id bigint PRIMARY KEY, n int NOT NULL);
                CREATE TABLE heir () INHERITS (heir_base);
                """);
        assertThat(missingIndexes("table", "heir_base", "key", "id", "orders.o", "n desc"))
                .hasSize(1)
                .allMatch(missing -> missing.script().isEmpty());
    }

    @Test
    void aSortWithinTheVisibleConditionDoesNotCountAsTheListsSort() {
        DATABASE.run("""
                DROP TABLE IF EXISTS sorted_in, bounds_in;
                CREATE TABLE sorted_in (id bigint PRIMARY KEY, n int NOT NULL);
                CREATE TABLE bounds_in (n int, at int);
                """);
        assertStatementsRemoveWarnings(
                "table",
                "sorted_in",
                "orders.o",
                "n desc",
                "visible",
                "n > (SELECT b.n FROM bounds_in b ORDER BY b.at DESC LIMIT 1)");
    }

    @Test
    void aVisibleConditionWithASubqueryIsServedByItsIndex() {
        DATABASE.run("""
                DROP TABLE IF EXISTS joined_in, members_in;
                CREATE TABLE joined_in (id bigint PRIMARY KEY, n int NOT NULL, member bigint);
                CREATE TABLE members_in (id bigint, active boolean);
                """);
        assertStatementsRemoveWarnings(
                "table",
                "joined_in",
                "orders.o",
                "n desc",
                "visible",
                "member IN (SELECT m.id FROM members_in m WHERE m.active)");
    }

    @Test
    void aFilterOnTheKeyNeedsOnlyTheIndexOfTheKey() {
        DATABASE.run("""
                DROP TABLE IF EXISTS keyed_in;
                CREATE TABLE keyed_in (id bigint PRIMARY KEY, n int NOT NULL);
                CREATE INDEX ON keyed_in (n, id);
                """);
        assertThat(missingIndexes("table", "keyed_in", "orders.o", "n", "filters.id", "equals"))
                .isEmpty();
    }

    /**
     * The table has partitions that are partitioned themselves, with unusual names. No index is built under a lock
     * that blocks writes.
     */
    @Test
    void theSuggestionForAPartitionedTableCreatesTheIndexOfEachPartitionConcurrently() {
        DATABASE.run("""
                DROP TABLE IF EXISTS "Parted in" CASCADE;
                CREATE SCHEMA IF NOT EXISTS "Parts in";
                CREATE TABLE "Parted in" (id bigint, "Day" date, "s%'s" varchar(9), PRIMARY KEY (id, "Day")) PARTITION BY RANGE ("Day");
                CREATE TABLE parted_in1 PARTITION OF "Parted in" FOR VALUES FROM (MINVALUE) TO ('2026-01-01');
                CREATE TABLE "Parts in"."2" PARTITION OF "Parted in" FOR VALUES FROM ('2026-01-01') TO (MAXVALUE) PARTITION BY HASH (id);
                CREATE TABLE "Parts in"."2a" PARTITION OF "Parts in"."2" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
                CREATE TABLE "Parts in"."2b" PARTITION OF "Parts in"."2" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
                CREATE INDEX ON parted_in1 ("s%'s" DESC NULLS LAST, id DESC, "Day" DESC);
                """);
        String[] feed = {"table", "\"Parted in\"", "orders.o", "\"s%'s\" desc nulls last", "filters.Day", "equals"};
        List<MissingIndex> before = missingIndexes(feed);
        assertThat(before).hasSize(2);

        List<String> executed = before.stream()
                .flatMap(missing -> executeAsPsql(missing.script()).stream())
                .toList();

        assertThat(missingIndexes(feed)).isEmpty();
        // Once more, as after an interruption.
        before.forEach(missing -> executeAsPsql(missing.script()));
        assertThat(executed)
                .filteredOn(statement -> statement.startsWith("CREATE INDEX"))
                .hasSize(10)
                .allMatch(statement -> statement.contains(" IF NOT EXISTS "))
                .allMatch(statement -> statement.contains(" CONCURRENTLY ") || statement.contains(" ON ONLY "));
        assertThat(
                        DATABASE.rows(
                                "SELECT 1 FROM pg_index JOIN pg_partition_tree('\"Parted in\"') ON indrelid = relid WHERE NOT indisvalid"))
                .isEmpty();
    }

    /** PostgreSQL would truncate the names of these indexes to 63 bytes, so that pairs of them would be equal. */
    @Test
    void partitionsThatDifferOnlyInTheEndsOfLongNamesGetDifferentIndexNames() {
        String ascii = "conversation_messages_of_support_by_creation_month_";
        String umlauts = "ü".repeat(30);
        DATABASE.run("""
                DROP TABLE IF EXISTS long_parts_in CASCADE;
                CREATE TABLE long_parts_in (id bigint PRIMARY KEY, n int NOT NULL) PARTITION BY RANGE (id);
                CREATE TABLE %1$s2025 PARTITION OF long_parts_in FOR VALUES FROM (1) TO (2);
                CREATE TABLE %1$s2026 PARTITION OF long_parts_in FOR VALUES FROM (2) TO (3);
                CREATE TABLE %2$s5 PARTITION OF long_parts_in FOR VALUES FROM (3) TO (4);
                CREATE TABLE %2$s6 PARTITION OF long_parts_in FOR VALUES FROM (4) TO (5);
                """.formatted(ascii, umlauts));
        String[] feed = {"table", "long_parts_in", "orders.o", "n desc"};

        List<String> script = missingIndexes(feed).get(0).script();
        executeAsPsql(script);

        assertThat(missingIndexes(feed)).isEmpty();
        // Once more, as after an interruption.
        executeAsPsql(script);
    }

    /**
     * Executes a script as psql does: each query, which ends with {@code \gexec}, and then the statements in the rows
     * of its result. Returns these statements.
     */
    private static List<String> executeAsPsql(List<String> script) {
        List<String> executed = new ArrayList<>();
        for (String query : String.join("\n", script).split("\\\\gexec")) {
            for (Row row : DATABASE.rows(query)) {
                DATABASE.run(row.getString(0));
                executed.add(row.getString(0));
            }
        }
        return executed;
    }
}
