package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Items that change without being written, because a type or a policy changes. They count as written since a moment.
 */
@UsesTestDatabase
class ChangedItemsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final List<String> ALL = List.of("1", "2", "3");

    @BeforeEach
    void makeTypes() {
        DATABASE.run("""
                DROP TABLE IF EXISTS clients, homes, shops CASCADE;
                DROP TYPE IF EXISTS shade, shade_range, place, address, tower, unused, unused_shade CASCADE;
                DROP DOMAIN IF EXISTS shade_d, address_d CASCADE;
                CREATE TYPE shade AS ENUM ('light', 'dark');
                CREATE DOMAIN shade_d AS shade;
                CREATE TYPE shade_range AS RANGE (subtype = shade);
                CREATE TYPE address AS (street text, zip text);
                CREATE DOMAIN address_d AS address;
                CREATE TYPE place AS (name text, at address_d[]);
                CREATE TABLE shops (id int, at address);
                CREATE TYPE tower AS (top shade_d, floors shade_range[]);
                CREATE TYPE unused AS (a int);
                CREATE TYPE unused_shade AS ENUM ('none');
                """);
    }

    private static Feed clients(String type, String value) {
        DATABASE.run("CREATE TABLE clients (id int PRIMARY KEY, home " + type + ", zone timestamptz);\n"
                + "INSERT INTO clients SELECT i, " + value + ", now() FROM generate_series(1, 3) i;\n");
        TestPostgres.awaitEndOfOpenTransactions();
        return DATABASE.feed("table", "clients", "orders.o", "id", "delta", "true");
    }

    /** Returns the keys of the items that are sent, and the moment of the page. */
    private static List<String> written(Feed feed, Moment since) {
        List<String> ids = new ArrayList<>();
        read(feed, Optional.of(since), new RowSink() {
            @Override
            public void accept(RowValues row) {
                ids.add(Long.toString(row.integer(0)));
            }
        });
        return ids;
    }

    private static Moment moment(Feed feed) {
        return read(feed, Optional.empty(), row -> {}).moment().orElseThrow();
    }

    private static Page read(Feed feed, Optional<Moment> since, RowSink sink) {
        PageRequest request =
                new PageRequest(Optional.empty(), 10, OptionalInt.empty(), Optional.empty(), since, Optional.empty());
        return DATABASE.reader()
                .read(new ListState(feed, feed.orders().byDefault(), List.of()), request, sink)
                .await()
                .atMost(Duration.ofSeconds(60));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "address     | row('s', '1')::address               | ALTER TYPE address ADD ATTRIBUTE country text",
                "address     | row('s', '1')::address               | ALTER TYPE address DROP ATTRIBUTE zip",
                "address[]   | array[row('s', '1')::address]        | ALTER TYPE address ADD ATTRIBUTE country text",
                "address_d   | row('s', '1')::address               | ALTER TYPE address DROP ATTRIBUTE zip",
                "address_d[] | array[row('s', '1')::address_d]      | ALTER TYPE address DROP ATTRIBUTE zip",
                "place       | row('n', array[row('s', '1')::address::address_d])::place | ALTER TYPE address DROP ATTRIBUTE zip",
                "shops       | row(1, row('s', '1')::address)::shops | ALTER TABLE shops ADD COLUMN name text",
                "shops       | row(1, row('s', '1')::address)::shops | ALTER TYPE address ADD ATTRIBUTE country text",
                "shops[]     | array[row(1, null::address)::shops]           | ALTER TABLE shops DROP COLUMN at",
                "shade       | 'dark'                               | ALTER TYPE shade RENAME VALUE 'dark' TO 'black'",
                "shade_d[]   | array['dark']::shade_d[]             | ALTER TYPE shade RENAME VALUE 'dark' TO 'black'",
                "shade_range | '[dark,dark]'                        | ALTER TYPE shade RENAME VALUE 'dark' TO 'black'",
                "tower       | row('dark', null)::tower             | ALTER TYPE shade RENAME VALUE 'dark' TO 'black'",
                "tower       | row('dark', null)::tower             | ALTER TYPE tower ADD ATTRIBUTE bottom shade",
                "regclass    | 'shops'::regclass                    | ALTER TABLE shops RENAME TO stores",
                "regclass[]  | array['shops'::regclass]             | ALTER TABLE shops RENAME TO stores",
            })
    void allItemsCountAsWrittenIfATypeChangesThatTheirValuesContain(String type, String value, String change) {
        Feed feed = clients(type, value);
        Moment before = moment(feed);
        DATABASE.run(change);
        assertThat(written(feed, before)).isEqualTo(ALL);
        DATABASE.run("DROP TABLE IF EXISTS stores CASCADE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TYPE unused ADD ATTRIBUTE b int",
                "ALTER TYPE unused_shade ADD VALUE 'all'",
                "ALTER TABLE shops ADD COLUMN name text"
            })
    void noItemCountsAsWrittenIfAnotherTypeChanges(String change) {
        Feed feed = clients("place", "row('n', null)::place");
        Moment before = moment(feed);
        DATABASE.run(change);
        assertThat(written(feed, before)).isEmpty();
    }

    /** Values are written by a cast to text, if there is one. */
    @Test
    void allItemsCountAsWrittenIfAFunctionThatWritesTheirValuesChanges() {
        DATABASE.run("""
                CREATE OR REPLACE FUNCTION address_text(address) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT ($1).street $$;
                CREATE CAST (address AS text) WITH FUNCTION address_text(address);
                """);
        Feed feed = clients("address_d", "row('s', '1')::address");
        Moment before = moment(feed);
        DATABASE.run("CREATE OR REPLACE FUNCTION address_text(address) RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT ($1).zip $$");
        assertThat(written(feed, before)).isEqualTo(ALL);
    }

    @Test
    void aCastToTextChangesTheFormOfTheItemsWhenItComesAndGoes() {
        clients("address", "row('s', '1')::address");
        List<String> forms = new ArrayList<>();
        List<String> versions = new ArrayList<>();
        for (String change : List.of(
                "SELECT",
                "CREATE OR REPLACE FUNCTION address_text(address) RETURNS text LANGUAGE sql IMMUTABLE AS"
                        + " $$ SELECT ($1).street $$; CREATE CAST (address AS text) WITH FUNCTION address_text(address)",
                "DROP CAST (address AS text)")) {
            DATABASE.run(change);
            forms.add(DATABASE.feed("table", "clients", "orders.o", "id", "delta", "true")
                    .policy()
                    .delta()
                    .orElseThrow()
                    .form());
            versions.addAll(versions());
        }
        assertThat(forms.get(1)).isNotEqualTo(forms.get(0)).isNotEqualTo(forms.get(2));
        assertThat(versions.get(1)).isNotEqualTo(versions.get(0)).isNotEqualTo(versions.get(2));
    }

    private static List<String> versions() {
        return DATABASE.catalogue()
                .findTables(List.of("clients"))
                .chain(tables ->
                        DATABASE.catalogue().findVersions(List.of(tables.get(0).orElseThrow())))
                .await()
                .indefinitely();
    }

    /** A type that has come to a column by a change of another type is found when the feed is resolved again. */
    @Test
    void theVersionOfATableChangesIfATypeChangesThatItsValuesContain() {
        clients("place[]", "array[row('n', null)::place]");
        List<String> versions = new ArrayList<>();
        for (String change : List.of(
                "SELECT",
                "ALTER TYPE place ADD ATTRIBUTE tone tower",
                "ALTER TYPE shade ADD VALUE 'black'",
                "ALTER TYPE tower DROP ATTRIBUTE floors")) {
            DATABASE.run(change);
            versions.addAll(versions());
        }
        assertThat(versions).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void allItemsCountAsWrittenIfATypeOfAnEmbeddedColumnChanges() {
        DATABASE.run("""
                CREATE TABLE homes (id int PRIMARY KEY, at address);
                INSERT INTO homes SELECT i, row('s', '1')::address FROM generate_series(1, 3) i;
                """);
        Feed feed = clientsWithHomes();
        Moment before = moment(feed);
        assertThat(written(feed, before)).isEmpty();
        DATABASE.run("ALTER TYPE address ADD ATTRIBUTE country text");
        assertThat(written(feed, before)).containsAll(ALL);
    }

    private static Feed clientsWithHomes() {
        DATABASE.run("""
                CREATE TABLE clients (id int PRIMARY KEY, home int REFERENCES homes);
                INSERT INTO clients SELECT i, nullif(i, 4) FROM generate_series(1, 4) i;
                """);
        TestPostgres.awaitEndOfOpenTransactions();
        return DATABASE.feed(
                "table",
                "clients",
                "orders.o",
                "id",
                "delta",
                "true",
                "embed.at.table",
                "homes",
                "embed.at.on.id",
                "home",
                "embed.at.columns",
                "at");
    }

    private static String embedded(RowValues row) {
        return row.isNull(3) ? "none" : row.text(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER POLICY seen ON homes USING (true)",
                "CREATE POLICY all_seen ON homes USING (true)",
                "ALTER ROLE home_reader BYPASSRLS",
                "UPDATE home_settings SET hidden = false"
            })
    void itemsWithEmbeddedRowsOfATableWithRowSecurityAlwaysCountAsWritten(String change) {
        DATABASE.run("""
                DROP TABLE IF EXISTS home_settings;
                DROP ROLE IF EXISTS home_reader;
                CREATE TABLE home_settings (hidden boolean);
                INSERT INTO home_settings VALUES (true);
                CREATE TABLE homes (id int PRIMARY KEY, at text, hidden boolean);
                INSERT INTO homes SELECT i, 'p' || i, i = 2 FROM generate_series(1, 3) i;
                ALTER TABLE homes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY seen ON homes USING (NOT hidden OR NOT (SELECT s.hidden FROM home_settings s));
                """);
        Feed feed = clientsWithHomes();
        DATABASE.run("""
                CREATE ROLE home_reader LOGIN;
                GRANT SELECT ON clients, homes, home_settings TO home_reader;
                """);
        TestDatabase reader = DATABASE.as("home_reader");
        TestPostgres.awaitEndOfOpenTransactions();
        try {
            List<String> embedded = new ArrayList<>();
            Moment before = reader.reader()
                    .read(
                            new ListState(feed, feed.orders().byDefault(), List.of()),
                            new PageRequest(Optional.empty(), 10),
                            row -> embedded.add(embedded(row)))
                    .await()
                    .atMost(Duration.ofSeconds(60))
                    .moment()
                    .orElseThrow();
            assertThat(embedded).containsExactly("p1", "none", "p3", "none");
            DATABASE.run(change);
            List<String> since = new ArrayList<>();
            reader.reader()
                    .read(
                            new ListState(feed, feed.orders().byDefault(), List.of()),
                            new PageRequest(
                                    Optional.empty(),
                                    10,
                                    OptionalInt.empty(),
                                    Optional.empty(),
                                    Optional.of(before),
                                    Optional.empty()),
                            row -> since.add(row.integer(0) + " " + embedded(row)))
                    .await()
                    .atMost(Duration.ofSeconds(60));
            assertThat(since).containsExactly("1 p1", "2 p2", "3 p3");
        } finally {
            reader.close();
            DATABASE.run("DROP OWNED BY home_reader;\nDROP ROLE home_reader;\n");
        }
    }
}
