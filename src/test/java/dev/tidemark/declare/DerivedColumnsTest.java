package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.FeedsText;
import dev.tidemark.declare.Catalogue.Derivation;
import dev.tidemark.declare.Catalogue.TableExpression;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.settings.FeedSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Derived columns as they are declared, and their faults. */
@UsesTestDatabase
class DerivedColumnsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void createTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS deriving CASCADE;
                DROP FUNCTION IF EXISTS derived_stably, derived_volatile, derived_plainly, derived_with_default;
                CREATE FUNCTION derived_with_default(int, timestamptz DEFAULT now()) RETURNS timestamptz IMMUTABLE
                  LANGUAGE sql AS 'SELECT $2';
                DROP COLLATION IF EXISTS derived_loosely;
                CREATE COLLATION derived_loosely (provider = icu, locale = 'und', deterministic = false);
                CREATE FUNCTION derived_stably(int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION derived_volatile(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION derived_plainly(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 + 1';
                CREATE TABLE deriving (id bigint PRIMARY KEY, created_at timestamptz NOT NULL, edited_at timestamptz,
                  "Odd name" int, small smallint, body text, loose text COLLATE derived_loosely, detail jsonb, tags text[],
                  stamps timestamptz[], c_text text COLLATE "C", posix_text text COLLATE "POSIX", tenant text, amount numeric, ms bigint);
                CREATE INDEX deriving_activity ON deriving ((coalesce(edited_at, created_at)), id);
                """);
    }

    private static Map<String, String> declarationWith(String... changes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("f.table", "deriving");
        properties.put("f.orders.oldest", "id");
        for (int i = 0; i < changes.length; i += 2) {
            properties.put("f." + changes[i], changes[i + 1]);
        }
        return properties;
    }

    private static Feed feed(String... changes) {
        return DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith(changes))
                .find("f")
                .orElseThrow();
    }

    private static String startupError(String... changes) {
        return DeclaredFeeds.startupError(DATABASE.catalogue(), declarationWith(changes));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            coalesce(edited_at, created_at)                   | TIMESTAMPTZ | timestamp with time zone
            detail ->> 'action'                               | TEXT        | text
            (detail ->> 'size')::bigint                       | BIGINT      | bigint
            lower(body) -- as clients search                  | TEXT        | text
            "Odd name" + small                                | INTEGER     | integer
            derived_plainly("Odd name")                       | INTEGER     | integer
            body = 'a' OR body IS NULL                        | BOOLEAN     | boolean
            CASE WHEN amount > 1 THEN 'much' ELSE 'little' END | TEXT       | text
            greatest(created_at, edited_at)                   | TIMESTAMPTZ | timestamp with time zone
            tags[1]                                           | TEXT        | text
            body COLLATE "C"                                  | TEXT        | text
            nullif(small, 0)::text                            | TEXT        | text
            body = ANY (ARRAY['a', 'b'])                      | BOOLEAN     | boolean
            detail -> 'a'                                     | JSON        | jsonb
            created_at AT TIME ZONE 'UTC'                     | TIMESTAMP   | timestamp without time zone
            is_lower(body)                                    | BOOLEAN     | boolean
            body = 'now' AND created_at > '2026-01-01'        | BOOLEAN     | boolean
            created_at > '2026-07-01 10:00 Europe/Berlin'     | BOOLEAN     | boolean
            coalesce(edited_at, '-infinity')                  | TIMESTAMPTZ | timestamp with time zone
            date '2020-01-01' + small                         | DATE        | date
            stamps = '{2026-01-01Z}'                          | BOOLEAN     | boolean
            created_at <@ tstzrange '[2026-01-01Z,)'          | BOOLEAN     | boolean
            """)
    void anExpressionHasTheTypeThatPostgreSqlGivesIt(String expression, Scalar type, String sqlType) {
        if (expression.startsWith("is_lower")) {
            DATABASE.run("CREATE OR REPLACE FUNCTION is_lower(text) RETURNS boolean IMMUTABLE LANGUAGE plpgsql"
                    + " AS 'BEGIN RETURN $1 = lower($1); END'");
        }
        Column column = feed("derived.d", expression).columns().stream()
                .filter(Column::isDerived)
                .findFirst()
                .orElseThrow();
        assertThat(column.name()).isEqualTo("d");
        assertThat(column.type()).isEqualTo(type);
        assertThat(column.sqlType()).isEqualTo(sqlType);
        assertThat(column.nullable()).isTrue();
    }

    @Test
    void theColumnsOfAnItemAreThoseOfTheTableAndThenTheDerivedOnes() {
        assertThat(feed("derived.z", "body", "derived.a", "body").columns())
                .extracting(Column::name)
                .startsWith("id", "created_at")
                .endsWith("a", "z");
        assertThat(feed("derived.a", "body", "columns", "a, id").columns())
                .extracting(Column::name)
                .containsExactly("a", "id");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            coalesce(edited_at, made_at)   | derived.d: is not a valid expression: column "made_at" does not exist
            coalesce(edited_at             | derived.d: is not a valid expression: syntax error at or near
            id), (id                       | derived.d: is not a valid expression: syntax error at or near
            id; DROP TABLE deriving        | derived.d: is not a valid expression: syntax error at or near
            1 + 1                          | derived.d: must name a column of the table
            xmin::text                     | derived.d: must not name a system column
            now()                          | derived.d: must name a column of the table
            created_at - now()             | derived.d: must depend only on its row, but it uses now()
            created_at::text               | derived.d: must depend only on its row, but it converts timestamp with time zone to text, which depends on settings
            body::timestamptz              | derived.d: must depend only on its row, but it converts text to timestamp with time zone, which depends on settings
            created_at::date               | derived.d: must depend only on its row, but it uses date(timestamp with time zone)
            small * random()               | derived.d: must depend only on its row, but it uses random()
            derived_stably(small)          | derived.d: must depend only on its row, but it uses derived_stably(integer)
            derived_volatile(small)        | derived.d: must depend only on its row, but it uses derived_volatile(integer)
            coalesce(body, CURRENT_USER)   | derived.d: must depend only on its row, and not on the time or the session
            (SELECT max(id) FROM deriving) | derived.d: must not contain a subquery
            max(id)                        | derived.d: must not contain an aggregate
            row_number() OVER (ORDER BY id)| derived.d: must not contain a window function
            unnest(tags)                   | derived.d: must have one value, but returns a set
            coalesce(edited_at, 'now')     | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            created_at > 'Today'           | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            created_at > $$now$$           | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            created_at > '10:00 today'     | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            created_at > 'tomorrow UTC'    | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            created_at > E'\\x6eow'        | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            created_at <@ '[now,)'::tstzrange | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            stamps = '{now}'               | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            date U&'\\0074oday' + small    | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            interval '1 h' * small + time 'now' | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do
            stamps = '{2026-01-01}'        | derived.d: must depend only on its row, and not on the time, as 'now' and 'today' do, or on the time zone
            derived_with_default(small)    | derived.d: must depend only on its row, but it leaves arguments of derived_with_default(integer,timestamp with time zone) to their defaults
            stamps::text[]                 | derived.d: must depend only on its row, but it converts timestamp with time zone to text, which depends on settings
            tags::timestamptz[]            | derived.d: must depend only on its row, but it converts text to timestamp with time zone, which depends on settings
            small::int::regclass::text     | derived.d: must depend only on its row, but it converts regclass to text, which depends on settings
            (small, id) < (1, 2)           | derived.d: contains a form of SQL that a derived column cannot have (ROWCOMPAREEXPR)
            upper(e)                       | derived.d: is not a valid expression: column "e" does not exist
            """)
    void anExpressionThatCannotBeAColumnIsAFault(String expression, String fault) {
        assertThat(startupError("derived.d", expression, "derived.e", "lower(body)"))
                .contains(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            derived.body  | lower(body) | derived.body: a derived column must not have the name of a column of public.deriving
            derived.limit | lower(body) | derived.limit: a derived column must not have the name of a parameter
            derived.d     | ''          | derived.d: must be an SQL expression over columns of the table
            orders.other  | j           | orders.other: column 'j' of type jsonb cannot be a sort key
            orders.other  | l           | orders.other: column 'l' has a nondeterministic collation
            filters.j     | equals      | filters.j: a column of type jsonb cannot be a filter
            key           | d           | key: column 'd' is derived, so it cannot be part of a key
            visible       | d > 'x'     | visible: is not a valid condition: column "d" does not exist
            """)
    void whatADerivedColumnCannotBeIsAFault(String property, String value, String fault) {
        assertThat(startupError(
                        "derived.d",
                        "lower(body)",
                        "derived.j",
                        "detail -> 'a'",
                        "derived.l",
                        "lower(loose)",
                        "default-order",
                        "oldest",
                        property,
                        value.equals("''") ? "" : value))
                .contains(fault);
    }

    @Test
    void aDerivedColumnDoesNotLeadALiveOrder() {
        assertThat(startupError(
                        "derived.activity", "coalesce(edited_at, created_at)",
                        "orders.active", "activity desc",
                        "default-order", "oldest",
                        "live-orders", "active"))
                .contains("live-orders: order 'active' cannot be live, because its first column is derived");
    }

    @Test
    void anEmbedNeitherHasTheNameOfADerivedColumnNorIsFoundByOne() {
        assertThat(startupError(
                        "derived.d", "ms + 1",
                        "embed.d.table", "deriving",
                        "embed.d.on.id", "d",
                        "embed.d.columns", "body"))
                .contains("embed.d: an embed must not have the name of a derived column")
                .contains("embed.d.on.id: column 'd' is derived; map the key to columns of the table itself");
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThat(startupError("derived.a", "now()", "derived.b", "nothing", "columns", "id, b"))
                .contains("derived.a: ")
                .contains("derived.b: ")
                .doesNotContain("there is no column 'b'");
    }

    @Test
    void aScopeAnEpochAndFiltersTakeDerivedColumns() {
        Feed feed = feed(
                "derived.owner", "lower(tenant)",
                "derived.sent", "ms / 10",
                "epoch.sent", "ms",
                "scope.owner", "claim:tenant",
                "filters.sent", "range",
                "filters.owner", "equals, text");
        assertThat(feed.access().scope().get(0).column().expression()).contains("lower(tenant)");
        assertThat(feed.filters().get("sent").column().clientType()).isEqualTo("timestamp with time zone");
    }

    @Test
    void aTextOfPartsWithDifferentCollationsIsAFault() {
        assertThat(startupError("derived.d", "c_text || posix_text", "filters.d", "equals"))
                .contains("derived.d: has no collation, because its parts have different ones; add COLLATE");
    }

    @Test
    void aFunctionThatIsReplacedIsReadAgain() {
        DATABASE.run("CREATE OR REPLACE FUNCTION derived_plainly(int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1'");
        assertThat(startupError("derived.d", "derived_plainly(small)")).contains("it uses derived_plainly(integer)");
        DATABASE.run("DROP FUNCTION derived_plainly;"
                + " CREATE FUNCTION derived_plainly(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 + 1'");
        assertThat(feed("derived.d", "derived_plainly(small)").columns())
                .extracting(Column::name)
                .contains("d");
    }

    @Test
    void aFunctionThatMatchesBetterIsFound() {
        DATABASE.run("DROP FUNCTION IF EXISTS derived_better(bigint), derived_better(smallint);"
                + " CREATE FUNCTION derived_better(bigint) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1'");
        assertThat(feed("derived.d", "derived_better(small)").columns())
                .extracting(Column::name)
                .contains("d");
        DATABASE.run("CREATE FUNCTION derived_better(smallint) RETURNS int VOLATILE LANGUAGE sql AS 'SELECT 1'");
        assertThat(startupError("derived.d", "derived_better(small)")).contains("it uses derived_better(smallint)");
    }

    @Test
    void aTableThatTakesThePlaceOfAnotherIsReadByTheNamesOfItsColumns() {
        DATABASE.run("""
                DROP TABLE IF EXISTS swapped, swapped_before;
                CREATE TABLE swapped (id bigint PRIMARY KEY, gone int, a text, b text);
                ALTER TABLE swapped DROP gone;
                """);
        assertThat(swapped("a")).isEqualTo("\"swapped\".\"a\"");
        DATABASE.run("""
                ALTER TABLE swapped RENAME TO swapped_before;
                CREATE TABLE swapped (id bigint PRIMARY KEY, a text, b text);
                """);
        assertThat(swapped("a")).isEqualTo("\"swapped\".\"a\"");
    }

    @Test
    void aTypeThatIsCreatedAnewIsReadAgain() {
        for (String sqlType : List.of("integer", "bigint")) {
            DATABASE.run("""
                    DROP TABLE IF EXISTS swapped, swapped_before;
                    DROP DOMAIN IF EXISTS derived_weight;
                    CREATE DOMAIN derived_weight AS %s;
                    CREATE TABLE swapped (id bigint PRIMARY KEY, w derived_weight, body text);
                    """.formatted(sqlType));
            assertThat(swapped("w")).isEqualTo("\"swapped\".\"w\"");
            assertThat(swapped("body::derived_weight")).isEqualTo("body::derived_weight");
        }
        DATABASE.run("""
                DROP TABLE swapped;
                CREATE TABLE swapped (id bigint PRIMARY KEY, w bigint, body text);
                DROP DOMAIN derived_weight;
                CREATE DOMAIN derived_weight AS bigint;
                """);
        assertThat(swapped("body::derived_weight")).isEqualTo("body::derived_weight");
        DATABASE.run("DROP DOMAIN derived_weight;\nCREATE DOMAIN derived_weight AS timestamptz");
        assertThat(DeclaredFeeds.startupError(
                        DATABASE.catalogue(),
                        Map.of(
                                "f.table", "swapped",
                                "f.key", "id",
                                "f.orders.o", "id",
                                "f.derived.d", "body::derived_weight")))
                .contains("it converts text to ");
    }

    private static String swapped(String expression) {
        return DATABASE
                .feed("table", "swapped", "key", "id", "orders.o", "id", "derived.d", expression)
                .columns()
                .stream()
                .filter(Column::isDerived)
                .findFirst()
                .flatMap(Column::expression)
                .orElseThrow();
    }

    /** PostgreSQL writes what it parses to its log, and a parse would wait for the lock. */
    @Test
    void anExpressionIsNotParsedAgainWhileItsTableIsTheSame() {
        Catalogue catalogue = DATABASE.catalogue();
        Table table = catalogue
                .findTables(List.of("deriving"))
                .await()
                .atMost(Duration.ofSeconds(30))
                .get(0)
                .orElseThrow();
        List<TableExpression> expressions = List.of(new TableExpression(table, "d", "lower(body) || 'once'"));
        Supplier<Derivation> derive = () -> catalogue
                .derive(expressions)
                .await()
                .atMost(Duration.ofSeconds(20))
                .get(0);
        Derivation parsed = derive.get();
        assertThat(parsed.fault()).isEmpty();
        DATABASE.writePool()
                .withTransaction(connection -> connection
                        .query("LOCK TABLE deriving IN ACCESS EXCLUSIVE MODE")
                        .execute()
                        .compose(locked -> DATABASE.vertx().executeBlocking(derive::get)))
                .toCompletionStage()
                .thenAccept(found -> assertThat(found).isEqualTo(parsed))
                .toCompletableFuture()
                .join();
    }

    @Test
    void theIndexThatServesADerivedOrderIsFound() {
        Feed feed = feed(
                "derived.activity", "coalesce(edited_at, created_at)",
                "orders.active", "activity desc",
                "default-order", "oldest");
        assertThat(feed.indexes().find(feed.orders().find("active").orElseThrow(), Set.of()))
                .isPresent();
    }

    @Test
    void theIndexThatADerivedOrderLacksIsProposedWithItsExpression() {
        CheckedFeed checked = DeclaredFeeds.newFeedCheck(DATABASE.catalogue())
                .check(List.of(FeedSource.of(
                        "feeds",
                        FeedsText.of(declarationWith(
                                "derived.day", "(created_at AT TIME ZONE 'UTC')::date",
                                "derived.who", "detail ->> 'who' -- the actor",
                                "orders.daily", "day desc",
                                "default-order", "oldest",
                                "filters.who", "equals")))))
                .await()
                .atMost(Duration.ofMinutes(1))
                .feeds()
                .get(0);
        assertThat(String.join("\n", checked.warnings()))
                .contains("ON public.deriving (((created_at AT TIME ZONE 'UTC')::date) DESC, id DESC);")
                .contains("ON public.deriving ((\ndetail ->> 'who' -- the actor\n), id);");
    }
}
