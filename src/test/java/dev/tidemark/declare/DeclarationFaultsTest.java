package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemark.declare.tokens.TokenSettings;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults in the declarations of feeds, which stop the start, and how they are reported. */
@UsesTestDatabase
class DeclarationFaultsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void createTables() {
        DATABASE.run("""
                DROP VIEW IF EXISTS faulty_view;
                DROP TABLE IF EXISTS faulty, faulty_keyless, faulty_times;
                DROP COLLATION IF EXISTS faulty_blind;
                DROP DOMAIN IF EXISTS faulty_wrapped;
                CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
                CREATE DOMAIN faulty_wrapped AS citext;
                CREATE COLLATION faulty_blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
                CREATE TABLE faulty (id bigint PRIMARY KEY, at timestamptz NOT NULL, n int, word text, data jsonb, raw bytea,
                  tags text[], place point, blind text COLLATE faulty_blind, maybe int UNIQUE, "limit" int,
                  single real, twofold double precision, short name, folded citext, wrapped faulty_wrapped);
                CREATE TABLE faulty_keyless (id bigint NOT NULL, n int);
                CREATE TABLE faulty_times (at timestamptz);
                CREATE VIEW faulty_view AS SELECT * FROM faulty;
                """);
    }

    private static Map<String, String> declarationWith(String... changes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("f.table", "faulty");
        properties.put("f.orders.newest", "at desc");
        for (int i = 0; i < changes.length; i += 2) {
            properties.put("f." + changes[i], changes[i + 1]);
        }
        return properties;
    }

    private static String startupError(Map<String, String> properties) {
        return DeclaredFeeds.startupError(DATABASE.catalogue(), properties);
    }

    @Test
    void aFeedThatAnybodyMayReadMustSayThatItIsPublicIfAccessIsRequired() {
        assertThatThrownBy(() ->
                        DeclaredFeeds.resolveRequiringAccess(DATABASE.catalogue(), declarationWith("public", "false")))
                .hasMessageContaining("access: the feed has neither roles nor a scope")
                .hasMessageContaining("say public: true");
        assertThat(DeclaredFeeds.resolveRequiringAccess(DATABASE.catalogue(), declarationWith("public", "true"))
                        .all())
                .hasSize(1);
        assertThat(DeclaredFeeds.resolveRequiringAccess(DATABASE.catalogue(), declarationWith("roles", "agent"))
                        .all())
                .hasSize(1);
        assertThat(startupError(declarationWith("public", "true", "roles", "agent")))
                .contains("public: must not be true, because roles or a scope restrict the feed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"counts", "columns", "key"})
    void anEmptyNameInAListOfColumnsIsAFault(String property) {
        for (String list : List.of("['']", "[n, ' ']", "'id,, n'")) {
            String yaml = "tidemark: {feeds: {f: {table: faulty, orders: {newest: at desc}, %s: %s}}}"
                    .formatted(property, list);
            assertThatThrownBy(() -> DeclaredFeeds.resolveFile(DATABASE.catalogue(), yaml, false))
                    .hasMessageContaining("- " + property + " (")
                    .hasMessageContaining("there is no column '' in public.faulty");
        }
    }

    @Test
    void countsNeedColumnsWhoseValuesCanBeCompared() {
        assertThat(startupError(declarationWith("counts", "n, wrd, data, blind, n", "limit", "3")))
                .contains("counts: lists a column twice")
                .contains("counts: there is no column 'wrd' in public.faulty; the nearest name is word")
                .contains("counts: column 'data' of type jsonb cannot be counted by")
                .contains("counts: column 'blind' has a nondeterministic collation")
                .contains("limit: must be a map");
        assertThat(startupError(declarationWith("filters.by", "equals")))
                .contains("filters.by: a filter column must not have the name of a parameter");
        assertThat(DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith("counts", "n, folded"))
                        .find("f")
                        .orElseThrow()
                        .counts())
                .extracting(Column::name)
                .containsExactly("n", "folded");
    }

    @Test
    void deltaNeedsTheKeyAmongTheColumnsAndRowsWithATransactionId() {
        DATABASE.run("""
                CREATE EXTENSION IF NOT EXISTS file_fdw;
                DROP SERVER IF EXISTS faulty_server CASCADE;
                CREATE SERVER faulty_server FOREIGN DATA WRAPPER file_fdw;
                DROP TABLE IF EXISTS faulty_parts;
                DROP MATERIALIZED VIEW IF EXISTS faulty_kept;
                CREATE FOREIGN TABLE faulty_foreign (id bigint, at timestamptz) SERVER faulty_server OPTIONS (program 'true');
                CREATE TABLE faulty_parts (id bigint, at timestamptz NOT NULL) PARTITION BY RANGE (id);
                CREATE TABLE faulty_part_1 PARTITION OF faulty_parts FOR VALUES FROM (0) TO (10);
                CREATE MATERIALIZED VIEW faulty_kept AS SELECT 1::bigint AS id, now() AS at;
                """);
        assertThat(startupError(declarationWith("table", "faulty_view", "key", "id", "delta", "true")))
                .contains(
                        "delta: needs rows with the id of the transaction that wrote them",
                        "but faulty_view is a view");
        assertThat(startupError(declarationWith("table", "faulty_foreign", "key", "id", "delta", "true")))
                .contains("but faulty_foreign is a foreign table");
        assertThat(startupError(declarationWith("columns", "at, n", "delta", "true")))
                .contains("delta: needs the key among the columns", "but 'id' is missing");
        assertThat(startupError(declarationWith(
                        "table",
                        "faulty_keyless",
                        "orders.newest",
                        "id",
                        "universal.strategy",
                        "offset",
                        "delta",
                        "true")))
                .contains("delta: needs a key");
        assertThat(startupError(declarationWith("delta", "true"))).isEqualTo("none");
        assertThat(startupError(declarationWith("table", "faulty_kept", "key", "id", "delta", "true")))
                .isEqualTo("none");
        DATABASE.run("CREATE FOREIGN TABLE faulty_part_2 PARTITION OF faulty_parts FOR VALUES FROM (10) TO (20)"
                + " SERVER faulty_server OPTIONS (program 'true')");
        assertThat(startupError(declarationWith("table", "faulty_parts", "key", "id", "delta", "true")))
                .contains("but faulty_part_2 is a foreign table");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            table                  | nowhere                 | table: there is no table or view 'nowhere'
            table                  | a.b.c.d.e               | table: cannot be read: improper relation name (too many dotted names): a.b.c.d.e
            table                  | faulty_pkey             | table: there is no table or view 'faulty_pkey'
            tabel                  | faulty                  | tabel: unknown property
            limit.maximum          | 5                       | limit.maximum: unknown property
            orders.a.b             | at                      | orders.a.b: unknown property
            limit.max              | many                    | limit.max: must be a whole number from 1 to 1000
            limit.max              | 1001                    | limit.max: must be a whole number from 1 to 1000
            limit.default          | 101                     | limit.default: must be a whole number from 1 to 100
            limit.default          | 0                       | limit.default: must be a whole number from 1 to 100
            delta                  | perhaps                 | delta: must be true or false
            delta-max              | 99                      | delta-max: must be a whole number from 100 to 10000
            delta-max              | 10001                   | delta-max: must be a whole number from 100 to 10000
            count                  | perhaps                 | count: 'perhaps' is not one of none, estimate, exact
            universal.strategy     | magic                   | universal.strategy: 'magic' is not one of cursor, offset
            universal.backward     | maybe                   | universal.backward: must be true or false
            universal.max-offset   | 1000001                 | universal.max-offset: must be a whole number from 1 to 1000000
            universal.max-offset   | 0                       | universal.max-offset: must be a whole number from 1 to 1000000
            key                    | gone                    | key: there is no column 'gone' in public.faulty
            key                    | maybe                   | key: column 'maybe' is nullable
            key                    | at                      | key: no primary key or unique index makes (at) unique; the unique keys are: (id)
            key                    | id, id                  | key: lists a column twice
            columns                | id, gone                | columns: there is no column 'gone' in public.faulty
            columns                | id, id                  | columns: lists a column twice
            orders.newest          | at down                 | orders.newest: 'at down' is not a valid order
            orders.newest          | at desc,                | orders.newest: 'at desc,' is not a valid order
            orders.newest          | at; drop table faulty   | orders.newest: 'at; drop table faulty' is not a valid order
            orders.newest          | at, at desc             | orders.newest: lists a column twice
            orders.newest          | gone                    | orders.newest: there is no column 'gone' in public.faulty
            orders.newest          | data                    | orders.newest: column 'data' of type jsonb cannot be a sort key
            orders.newest          | raw                     | orders.newest: column 'raw' of type bytea cannot be a sort key
            orders.newest          | tags                    | orders.newest: column 'tags' of type text[] cannot be a sort key
            orders.newest          | place                   | orders.newest: column 'place' of type point cannot be a sort key
            orders.newest          | blind                   | orders.newest: column 'blind' has a nondeterministic collation
            orders.oldest          | at                      | default-order: is missing: required if there is more than one order
            default-order          | best                    | default-order: there is no order 'best'
            live-orders            | best                    | live-orders: there is no order 'best'
            filters.gone           | equals                  | filters.gone: there is no column 'gone' in public.faulty
            filters.n              | likes                   | filters.n: 'likes' is not one of equals, range, text
            filters.n              | text                    | filters.n: kind text requires a text column, but the type is integer
            filters.data           | equals                  | filters.data: a column of type jsonb cannot be a filter
            filters.limit          | equals                  | filters.limit: a filter column must not have the name of a parameter
            visible                | gone is null            | visible: is not a valid condition: column "gone" does not exist
            visible                | n                       | visible: is not a valid condition: argument of WHERE must be type boolean
            visible                | n is null) or (true     | visible: is not a valid condition: syntax error
            visible                | true; drop table faulty | visible: is not a valid condition: syntax error
            visible                | n = $1                  | visible: is not a valid condition
            visible                | count(*) > 1            | visible: is not a valid condition: aggregate functions are not allowed in WHERE
            visible                | true /* and             | visible: is not a valid condition: unterminated /* comment
            epoch                  | ms                      | epoch: must be a map of columns, such as created_ms: ms, not a value or a list
            epoch.mn               | ms                      | epoch.mn: there is no column 'mn' in public.faulty; the nearest name is n
            epoch.n                | msec                    | epoch.n: 'msec' is not one of s, ms, us; the nearest name is ms
            epoch.n                | ''                      | epoch.n: must have one unit; the units are s, ms, us
            epoch.n                | s, ms                   | epoch.n: must have one unit; the units are s, ms, us
            epoch.at               | ms                      | epoch.at: column 'at' is of type timestamp with time zone, and epoch is only for whole numbers: smallint, integer, and bigint
            epoch.single           | s                       | epoch.single: column 'single' is of type real, and epoch is only for whole numbers
            notify-on              | faulty, fulty           | notify-on: there is no table or view 'fulty'
            notify-on              | public.fauly            | notify-on: there is no table or view 'public.fauly'; the nearest name is public.faulty
            notify-on              | nowhere.faulty          | notify-on: there is no table or view 'nowhere.faulty'
            notify-on              | faulty_view             | notify-on: public.faulty_view is a view, and changes to the tables that it reads run no trigger of the view
            notify-on              | faulty, faulty          | notify-on: lists a table twice
            notify-on              | ''                      | notify-on: must be a list of tables, such as [public.posts]
            notify-on.faulty       | yes                     | notify-on: must be a list of tables, such as [public.posts]
            roles                  | ''                      | roles: must not be empty
            roles                  | ,                       | roles: must not be empty
            roles.agent            | yes                     | roles: must not be empty
            public                 | maybe                   | public: must be true or false
            scope                  | ''                      | scope: must map columns to claims
            scope                  | claim:tenant            | scope: must map columns to claims
            scope.n                | tenant                  | scope.n: must be a claim, such as claim:tenant
            scope.n                | 'claim: '               | scope.n: must be a claim, such as claim:tenant
            scope.n                | ''                      | scope.n: must be a claim, such as claim:tenant
            scope.none             | claim:tenant            | scope.none: there is no column 'none'
            scope.data             | claim:tenant            | scope.data: a column of type jsonb cannot be compared with a claim
            scope.tags             | claim:tenant            | scope.tags: a column of type text[] cannot be compared with a claim
            scope.blind            | claim:tenant            | scope.blind: has a nondeterministic collation
            scope.single           | claim:tenant            | scope.single: different claims can equal one value of type real
            scope.twofold          | claim:tenant            | scope.twofold: different claims can equal one value of type double precision
            scope.short            | claim:tenant            | scope.short: different claims can equal one value of type name
            scope.folded           | claim:tenant            | scope.folded: different claims can equal one value of type citext
            scope.wrapped          | claim:tenant            | scope.wrapped: different claims can equal one value of type citext
            """)
    void aFaultStopsTheStartAndIsDescribed(String property, String value, String description) {
        assertThat(startupError(declarationWith(property, value))).contains("feed f\n    - " + description);
    }

    @Test
    void aColumnThatCannotBeFilteredIsReportedOnceForAllFilterKinds() {
        assertThat(startupError(declarationWith("filters.data", "text")))
                .contains("filters.data: a column of type jsonb cannot be a filter")
                .doesNotContain("kind text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-cache\r\nX-Other: 1", "no-cache\u0007", "private, \u00e9"})
    void aCacheControlWithCharactersThatNoHeaderAllowsIsAFault(String value) {
        assertThat(startupError(declarationWith("cache-control", value)))
                .contains("cache-control: must be a header value in printable ASCII");
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "max-age=60, Public", "s-maxage=60", "max-age=60, must-revalidate"})
    void aRestrictedFeedCannotBePubliclyCacheable(String value) {
        for (String restriction : List.of("roles", "scope.n")) {
            assertThat(startupError(declarationWith("cache-control", value, restriction, "claim:n")))
                    .contains("cache-control: contains '"
                            + value.toLowerCase(Locale.ROOT).replaceAll(".* |=.*", "") + "', but");
        }
        assertThat(startupError(declarationWith("cache-control", value))).isEqualTo("none");
        assertThat(startupError(declarationWith("cache-control", "private, max-age=60", "roles", "agent")))
                .isEqualTo("none");
    }

    @Test
    void aRestrictedFeedCanRequireRevalidation() {
        assertThat(startupError(declarationWith("cache-control", "must-revalidate, private", "roles", "agent")))
                .isEqualTo("none");
    }

    @Test
    void anEmptyListOfAudiencesCountsAsMissing() {
        Optional<String> there = Optional.of("there");
        assertThat(new TokenSettings(
                                there,
                                there,
                                there,
                                Optional.of(" , "),
                                DeclaredFeeds.configurationWithKeysFrom("https:"))
                        .faults())
                .containsExactly("mp.jwt.verify.audiences is missing");
    }

    @Test
    void aRestrictedFeedRequiresAKeyAnIssuerAndAnAudience() {
        TokenSettings none = new TokenSettings(
                Optional.of("NONE"), Optional.empty(), Optional.of(" "), Optional.empty(), new JWTAuthContextInfo());
        TokenSettings located = new TokenSettings(
                Optional.of("NONE"),
                Optional.of("https://issuer.example.org/jwks"),
                Optional.of("https://issuer.example.org"),
                Optional.of("tidemark"),
                DeclaredFeeds.configurationWithKeysFrom("https://issuer.example.org/jwks"));
        Map<String, String> properties = declarationWith("scope.n", "claim:n", "tabel", "x");
        properties.putAll(Map.of("g.table", "faulty", "g.orders.o", "n", "g.roles", "agent"));
        assertThatThrownBy(() -> DeclaredFeeds.resolve(DATABASE.catalogue(), properties, false, none))
                .hasMessageContaining("7 faults")
                .hasMessageContaining("mp.jwt.verify.publickey or mp.jwt.verify.publickey.location")
                .hasMessageContaining("mp.jwt.verify.issuer")
                .hasMessageContaining("mp.jwt.verify.audiences")
                .hasMessageContaining("tabel: unknown property");
        assertThat(DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith(), false, none)
                        .all())
                .as("a public feed needs none of it")
                .hasSize(1);
        properties.remove("f.tabel");
        assertThat(DeclaredFeeds.resolve(DATABASE.catalogue(), properties, false, located)
                        .all())
                .hasSize(2);
    }

    @Test
    void aScopedFeedCannotOfferEstimates() {
        assertThat(startupError(declarationWith("scope.n", "claim:n", "count", "estimate")))
                .contains("count: estimate is not allowed with a scope");
        assertThat(startupError(declarationWith("scope.n", "claim:n", "count", "exact")))
                .isEqualTo("none");
        assertThat(startupError(declarationWith("roles", "agent", "count", "estimate")))
                .isEqualTo("none");
    }

    @Test
    void rolesAndScopeAreReadFromTheDeclaration() {
        Map<String, String> properties =
                declarationWith("roles[0]", "agent", "roles[1]", "manager", "scope.n", "claim:https://example.org/n");
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), properties)
                .find("f")
                .orElseThrow();

        assertThat(feed.access().roles()).containsExactlyInAnyOrder("agent", "manager");
        assertThat(feed.access().scope())
                .extracting("column.name", "claim")
                .containsExactly(tuple("n", "https://example.org/n"));
    }

    @Test
    void aLiveOrderStartsWithATimestamp() {
        assertThat(startupError(declarationWith("orders.newest", "n", "live-orders", "newest")))
                .contains("live-orders: the first column of order 'newest' must be a timestamp");
        assertThat(startupError(declarationWith("orders.newest", "n", "live-orders", "newest", "epoch.n", "s")))
                .isEqualTo("none");
    }

    @Test
    void aMissingTableAndMissingOrdersAreBothReported() {
        assertThat(startupError(Map.of("f.visible", "true")))
                .contains("table: is missing")
                .contains("orders: is missing");
    }

    @Test
    void aMissingTableHidesNoFaultOfNotifyOn() {
        assertThat(startupError(declarationWith("table", "gone", "notify-on", "faulty_view, nowhere")))
                .contains("3 faults")
                .contains("table: there is no table or view 'gone'")
                .contains("notify-on: there is no table or view 'nowhere'")
                .contains("notify-on: public.faulty_view is a view");
    }

    @Test
    void aTableWithoutAPrimaryKeyNeedsADeclaredKey() {
        assertThat(startupError(Map.of("f.table", "faulty_keyless", "f.orders.o", "n")))
                .contains("key: is missing: the table has no primary key");
    }

    @Test
    void aViewNeedsADeclaredKey() {
        assertThat(startupError(Map.of("f.table", "faulty_view", "f.orders.o", "n")))
                .contains(
                        "key: is missing: the catalogue guarantees no key for the rows of a view, foreign table, or parent table");
    }

    @Test
    void allFaultsOfAllFeedsAreReportedInOneMessage() {
        Map<String, String> properties =
                declarationWith("tabel", "x", "columns", "gone", "visible", "nonsense", "limit.max", "-1");
        properties.putAll(Map.of("g.table", "nowhere", "g.orders.o", "x", "h.table", "faulty", "h.orders.o", "nix"));

        assertThat(startupError(properties))
                .contains("6 faults")
                .contains("tabel: unknown property")
                .contains("limit.max:")
                .contains("columns: there is no column 'gone'")
                .contains("visible: is not a valid condition")
                .contains("feed g\n    - table:")
                .contains("feed h\n    - orders.o:");
    }

    @Test
    void anOrderWithoutAnIndexStopsTheStartIfIndexesAreRequired() {
        assertThatThrownBy(() -> DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith(), true))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "CREATE INDEX CONCURRENTLY IF NOT EXISTS faulty_at_id_idx_e556c9e4 ON public.faulty (at DESC, id DESC)");
    }

    @Test
    void propertiesWithSeveralValuesCanBeYamlLists() {
        Map<String, String> properties = declarationWith(
                "columns[0]", "id", "columns[1]", "at", "filters.n[0]", "equals", "filters.n[1]", "range");
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), properties)
                .find("f")
                .orElseThrow();

        assertThat(feed.columns()).extracting("name").isEqualTo(List.of("id", "at"));
        assertThat(feed.filters().get("n").kinds()).hasSize(2);
    }

    @Test
    void theKeyIsAppendedToEveryOrderInTheDirectionOfTheOrdersLastColumn() {
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith("orders.newest", "at, n desc"))
                .find("f")
                .orElseThrow();

        assertThat(feed.orders().byDefault().keys()).extracting("column.name").containsExactly("at", "n", "id");
        assertThat(feed.orders().byDefault().keys().get(2).descending()).isTrue();
    }

    @Test
    void aFeedWithoutAKeyOffersOnlyOffsets() {
        for (String relation : List.of("faulty_keyless", "faulty_view")) {
            Map<String, String> properties =
                    new HashMap<>(Map.of("f.table", relation, "f.columns", "n", "f.orders.o", "n desc"));
            assertThat(startupError(properties)).contains("served by offset only, with universal.strategy: offset");
            properties.put("f.universal.strategy", "offset");
            Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), properties, true)
                    .find("f")
                    .orElseThrow();
            assertThat(feed.relation().hasKey()).isFalse();
        }
    }

    @Test
    void aFeedWithTheOffsetStrategyKeepsItsKey() {
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), declarationWith("universal.strategy", "offset"))
                .find("f")
                .orElseThrow();
        assertThat(feed.relation().hasKey()).isTrue();
        assertThat(feed.orders().byDefault().keys()).extracting("column.name").containsExactly("at", "id");
        assertThat(feed.policy().universal().maxOffset()).isEqualTo(10_000);
    }

    @Test
    void aFeedWithoutAKeyHasNoLiveOrders() {
        assertThat(startupError(Map.of(
                        "f.table", "faulty_times",
                        "f.orders.o", "at",
                        "f.live-orders", "o",
                        "f.universal.strategy", "offset")))
                .contains("live-orders: order 'o' cannot be live, because the feed has no key");
    }
}
