package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stops the start, and what it says. */
class DeclarationFaultsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTables() {
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

    private static Map<String, String> declared(String... changes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("f.table", "faulty");
        properties.put("f.orders.newest", "at desc");
        for (int i = 0; i < changes.length; i += 2) {
            properties.put("f." + changes[i], changes[i + 1]);
        }
        return properties;
    }

    private static String complaint(Map<String, String> properties) {
        try {
            DeclaredFeeds.resolve(DATABASE.catalogue(), properties);
        } catch (ConfigurationException stopped) {
            return stopped.getMessage();
        }
        return "none";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            table                  | nowhere                 | table: there is no table or view nowhere
            table                  | a.b.c.d.e               | table: there is no table or view a.b.c.d.e
            table                  | faulty_pkey             | table: there is no table or view faulty_pkey
            tabel                  | faulty                  | tabel: unknown property
            limit.maximum          | 5                       | limit.maximum: unknown property
            orders.a.b             | at                      | orders.a.b: unknown property
            limit.max              | many                    | limit.max: is a whole number from 1 to 1000
            limit.max              | 1001                    | limit.max: is a whole number from 1 to 1000
            limit.default          | 101                     | limit.default: is a whole number from 1 to 100
            limit.default          | 0                       | limit.default: is a whole number from 1 to 100
            count                  | perhaps                 | count: 'perhaps' is none of none, estimate, exact
            universal.strategy     | magic                   | universal.strategy: 'magic' is none of cursor, offset
            universal.backward     | maybe                   | universal.backward: is true or false
            universal.max-offset   | 1000001                 | universal.max-offset: is a whole number from 1 to 1000000
            universal.max-offset   | 0                       | universal.max-offset: is a whole number from 1 to 1000000
            key                    | gone                    | key: there is no column gone in public.faulty
            key                    | maybe                   | key: column maybe may be NULL
            key                    | at                      | key: no primary key or unique index keeps (at) unique
            key                    | id, id                  | key: names a column twice
            columns                | id, gone                | columns: there is no column gone in public.faulty
            columns                | id, id                  | columns: names a column twice
            orders.newest          | at down                 | orders.newest: 'at down' is no order
            orders.newest          | at desc,                | orders.newest: 'at desc,' is no order
            orders.newest          | at; drop table faulty   | orders.newest: 'at; drop table faulty' is no order
            orders.newest          | at, at desc             | orders.newest: names a column twice
            orders.newest          | gone                    | orders.newest: there is no column gone in public.faulty
            orders.newest          | data                    | orders.newest: column data of type jsonb has no place in an order
            orders.newest          | raw                     | orders.newest: column raw of type bytea has no place in an order
            orders.newest          | tags                    | orders.newest: column tags of type text[] has no place in an order
            orders.newest          | place                   | orders.newest: column place of type point has no place in an order
            orders.newest          | blind                   | orders.newest: column blind has a nondeterministic collation
            orders.oldest          | at                      | default-order: is missing: needed when there is more than one order
            default-order          | best                    | default-order: there is no order 'best'
            live-orders            | best                    | live-orders: there is no order 'best'
            filters.gone           | equals                  | filters.gone: there is no column gone in public.faulty
            filters.n              | likes                   | filters.n: 'likes' is none of equals, range, text
            filters.n              | text                    | filters.n: kind text is for text columns, and this one is integer
            filters.data           | equals                  | filters.data: a column of type jsonb cannot be filtered by
            filters.limit          | equals                  | filters.limit: a filter column must not be named like a parameter
            visible                | gone is null            | visible: is no condition on the table's rows: column "gone" does not exist
            visible                | n                       | visible: is no condition on the table's rows: argument of WHERE must be type boolean
            visible                | n is null) or (true     | visible: is no condition on the table's rows: syntax error
            visible                | true; drop table faulty | visible: is no condition on the table's rows: syntax error
            visible                | n = $1                  | visible: is no condition on the table's rows
            visible                | count(*) > 1            | visible: is no condition on the table's rows: aggregate functions are not allowed in WHERE
            visible                | true /* and             | visible: is no condition on the table's rows: unterminated /* comment
            roles                  | ''                      | roles: is empty
            roles                  | ,                       | roles: is empty
            roles.agent            | yes                     | roles: is empty
            scope                  | ''                      | scope: is a claim for each column
            scope                  | claim:tenant            | scope: is a claim for each column
            scope.n                | tenant                  | scope.n: is no claim of a token; one is: claim:tenant
            scope.n                | 'claim: '               | scope.n: is no claim of a token; one is: claim:tenant
            scope.n                | ''                      | scope.n: is no claim of a token; one is: claim:tenant
            scope.none             | claim:tenant            | scope.none: there is no column none
            scope.data             | claim:tenant            | scope.data: a column of type jsonb equals no claim
            scope.tags             | claim:tenant            | scope.tags: a column of type text[] equals no claim
            scope.blind            | claim:tenant            | scope.blind: has a nondeterministic collation
            scope.single           | claim:tenant            | scope.single: a column of type real compares loosely
            scope.twofold          | claim:tenant            | scope.twofold: a column of type double precision compares loosely
            scope.short            | claim:tenant            | scope.short: a column of type name compares loosely
            scope.folded           | claim:tenant            | scope.folded: a column of type citext compares loosely
            scope.wrapped          | claim:tenant            | scope.wrapped: a column of type citext compares loosely
            """)
    void aFaultStopsTheStartAndSaysWhatItIs(String property, String value, String complaint) {
        assertThat(complaint(declared(property, value))).contains("feed f\n    - " + complaint);
    }

    @Test
    void aColumnThatCannotBeFilteredByIsOneFaultWhateverTheKind() {
        assertThat(complaint(declared("filters.data", "text")))
                .contains("filters.data: a column of type jsonb cannot be filtered by")
                .doesNotContain("kind text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-cache\r\nX-Other: 1", "no-cache\u0007", "private, \u00e9"})
    void aCacheControlThatNoHeaderHoldsIsAFault(String value) {
        assertThat(complaint(declared("cache-control", value)))
                .contains("cache-control: is a header's value, in printable ASCII");
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "max-age=60, Public", "s-maxage=60", "max-age=60, must-revalidate"})
    void whatIsNotEverybodysIsKeptInNoCacheThatIsEverybodys(String value) {
        for (String restriction : List.of("roles", "scope.n")) {
            assertThat(complaint(declared("cache-control", value, restriction, "claim:n")))
                    .contains(
                            "cache-control: says " + value.toLowerCase().replaceAll(".* |=.*", "") + ", and the feed");
        }
        assertThat(complaint(declared("cache-control", value))).isEqualTo("none");
        assertThat(complaint(declared("cache-control", "private, max-age=60", "roles", "agent")))
                .isEqualTo("none");
    }

    @Test
    void whatIsPrivateMayAskToBeRevalidated() {
        assertThat(complaint(declared("cache-control", "must-revalidate, private", "roles", "agent")))
                .isEqualTo("none");
    }

    @Test
    void aListOfNoAudiencesIsNone() {
        Optional<String> there = Optional.of("there");
        assertThat(new TokenVerification(there, there, there, Optional.of(" , "), DeclaredFeeds.fetched("https:"))
                        .faults())
                .containsExactly("needs mp.jwt.verify.audiences");
    }

    @Test
    void withoutAKeyAnIssuerAndAnAudienceNobodyCanBeToldApart() {
        TokenVerification none = new TokenVerification(
                Optional.of("NONE"), Optional.empty(), Optional.of(" "), Optional.empty(), new JWTAuthContextInfo());
        TokenVerification located = new TokenVerification(
                Optional.of("NONE"),
                Optional.of("https://issuer.example.org/jwks"),
                Optional.of("https://issuer.example.org"),
                Optional.of("tidemark"),
                DeclaredFeeds.fetched("https://issuer.example.org/jwks"));
        Map<String, String> properties = declared("scope.n", "claim:n", "tabel", "x");
        properties.putAll(Map.of("g.table", "faulty", "g.orders.o", "n", "g.roles", "agent"));
        assertThatThrownBy(() -> DeclaredFeeds.resolve(DATABASE.catalogue(), properties, false, none))
                .hasMessageContaining("7 faults")
                .hasMessageContaining("mp.jwt.verify.publickey or mp.jwt.verify.publickey.location")
                .hasMessageContaining("mp.jwt.verify.issuer")
                .hasMessageContaining("mp.jwt.verify.audiences")
                .hasMessageContaining("tabel: unknown property");
        assertThat(DeclaredFeeds.resolve(DATABASE.catalogue(), declared(), false, none)
                        .all())
                .as("a public feed needs none of it")
                .hasSize(1);
        properties.remove("f.tabel");
        assertThat(DeclaredFeeds.resolve(DATABASE.catalogue(), properties, false, located)
                        .all())
                .hasSize(2);
    }

    @Test
    void anEstimateTellsOfTheRowsOfOthers() {
        assertThat(complaint(declared("scope.n", "claim:n", "count", "estimate")))
                .contains("count: an estimate is made of the rows of all");
        assertThat(complaint(declared("scope.n", "claim:n", "count", "exact"))).isEqualTo("none");
        assertThat(complaint(declared("roles", "agent", "count", "estimate"))).isEqualTo("none");
    }

    @Test
    void rolesAndScopeAreWhatWasDeclared() {
        Map<String, String> properties =
                declared("roles[0]", "agent", "roles[1]", "manager", "scope.n", "claim:https://example.org/n");
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), properties)
                .find("f")
                .orElseThrow();

        assertThat(feed.access().roles()).containsExactlyInAnyOrder("agent", "manager");
        assertThat(feed.access().scope())
                .extracting("column.name", "claim")
                .containsExactly(tuple("n", "https://example.org/n"));
    }

    @Test
    void aLiveOrderIsLedByATimestamp() {
        assertThat(complaint(declared("orders.newest", "n", "live-orders", "newest")))
                .contains("live-orders: order newest is not led by a timestamp");
    }

    @Test
    void aFeedWithoutTableAndOrdersMissesBoth() {
        assertThat(complaint(Map.of("f.visible", "true")))
                .contains("table: is missing")
                .contains("orders: is missing");
    }

    @Test
    void aTableWithoutAKeyNeedsOneDeclared() {
        assertThat(complaint(Map.of("f.table", "faulty_keyless", "f.orders.o", "n")))
                .contains("key: is missing: the table has no primary key");
    }

    @Test
    void aViewNeedsItsKeyDeclared() {
        assertThat(complaint(Map.of("f.table", "faulty_view", "f.orders.o", "n")))
                .contains("key: is missing: nothing keeps the rows of a view");
    }

    @Test
    void allFaultsOfAllFeedsStandInOneMessage() {
        Map<String, String> properties =
                declared("tabel", "x", "columns", "gone", "visible", "nonsense", "limit.max", "-1");
        properties.putAll(Map.of("g.table", "nowhere", "g.orders.o", "x", "h.table", "faulty", "h.orders.o", "nix"));

        assertThat(complaint(properties))
                .contains("6 faults")
                .contains("tabel: unknown property")
                .contains("limit.max:")
                .contains("columns: there is no column gone")
                .contains("visible: is no condition")
                .contains("feed g\n    - table:")
                .contains("feed h\n    - orders.o:");
    }

    @Test
    void anOrderWithoutAnIndexStopsTheStartWhereIndexesAreRequired() {
        assertThatThrownBy(() -> DeclaredFeeds.resolve(DATABASE.catalogue(), declared(), true))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("CREATE INDEX CONCURRENTLY ON public.faulty (at DESC, id DESC)");
    }

    @Test
    void listsMayBeGivenByIndexAsYamlGivesThem() {
        Map<String, String> properties =
                declared("columns[0]", "id", "columns[1]", "at", "filters.n[0]", "equals", "filters.n[1]", "range");
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), properties)
                .find("f")
                .orElseThrow();

        assertThat(feed.columns()).extracting("name").isEqualTo(List.of("id", "at"));
        assertThat(feed.filters().get("n").kinds()).hasSize(2);
    }

    @Test
    void theKeyIsAppendedToEveryOrderInTheDirectionOfItsLastColumn() {
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), declared("orders.newest", "at, n desc"))
                .find("f")
                .orElseThrow();

        assertThat(feed.orders().byDefault().keys()).extracting("column.name").containsExactly("at", "n", "id");
        assertThat(feed.orders().byDefault().keys().get(2).descending()).isTrue();
    }

    @Test
    void withoutAKeyThereAreOffsetsOnly() {
        for (String relation : List.of("faulty_keyless", "faulty_view")) {
            Map<String, String> properties =
                    new HashMap<>(Map.of("f.table", relation, "f.columns", "n", "f.orders.o", "n desc"));
            assertThat(complaint(properties)).contains("served by offsets only, with universal.strategy: offset");
            properties.put("f.universal.strategy", "offset");
            Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), properties, true)
                    .find("f")
                    .orElseThrow();
            assertThat(feed.relation().hasKey()).isFalse();
        }
    }

    @Test
    void aTableWithAKeyKeepsItUnderOffsets() {
        Feed feed = DeclaredFeeds.resolve(DATABASE.catalogue(), declared("universal.strategy", "offset"))
                .find("f")
                .orElseThrow();
        assertThat(feed.relation().hasKey()).isTrue();
        assertThat(feed.orders().byDefault().keys()).extracting("column.name").containsExactly("at", "id");
        assertThat(feed.policy().universal().maxOffset()).isEqualTo(10_000);
    }

    @Test
    void withoutAKeyNothingIsLive() {
        assertThat(complaint(Map.of(
                        "f.table", "faulty_times",
                        "f.orders.o", "at",
                        "f.live-orders", "o",
                        "f.universal.strategy", "offset")))
                .contains("live-orders: order o is of a feed without a key, whose scrolls cannot be pinned");
    }
}
