package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.FeedsText;
import dev.tidemark.declare.Faults.Fault;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.settings.FeedSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Embeds as they are declared, and their faults. */
@UsesTestDatabase
class EmbedFaultsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void createTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS embedding, embeddable, embeddable_pair, embeddable_parent, embeddable_child CASCADE;
                CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
                CREATE TABLE embeddable (id bigint PRIMARY KEY, name text NOT NULL, code varchar(9) NOT NULL, part int NOT NULL,
                  late int NOT NULL UNIQUE DEFERRABLE, maybe int UNIQUE, lower text NOT NULL, many int NOT NULL,
                  amount numeric NOT NULL UNIQUE, token uuid NOT NULL UNIQUE, folded citext NOT NULL UNIQUE,
                  "Odd id" int NOT NULL UNIQUE);
                CREATE UNIQUE INDEX ON embeddable (code);
                CREATE UNIQUE INDEX ON embeddable (part) WHERE part > 0;
                CREATE UNIQUE INDEX ON embeddable (lower(lower));
                CREATE TABLE embeddable_pair (shop int, number int, name text, PRIMARY KEY (shop, number));
                CREATE TABLE embeddable_parent (id bigint PRIMARY KEY, name text);
                CREATE TABLE embeddable_child () INHERITS (embeddable_parent);
                CREATE TABLE embedding (id bigint PRIMARY KEY, at timestamptz NOT NULL, author_id bigint REFERENCES embeddable,
                  small smallint, word text, amount numeric, shop int, number int, token uuid, author int, folded citext,
                  FOREIGN KEY (number, shop) REFERENCES embeddable_pair (number, shop) DEFERRABLE);
                CREATE VIEW embeddable_view AS SELECT * FROM embeddable;
                """);
    }

    /**
     * A declaration of the embed {@code person} by the id of its author, with changed properties.
     *
     * @param changes alternating names and values; null removes a property
     */
    private static Map<String, String> declarationWith(String... changes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("f.table", "embedding");
        properties.put("f.orders.newest", "at desc");
        properties.put("f.embed.person.table", "embeddable");
        properties.put("f.embed.person.on.id", "author_id");
        properties.put("f.embed.person.columns", "name");
        for (int i = 0; i < changes.length; i += 2) {
            properties.put("f." + changes[i], changes[i + 1]);
        }
        properties.values().removeIf(value -> value == null);
        return properties;
    }

    /** A declaration of the embed {@code person} by one pair of equal columns. */
    private static Map<String, String> declarationOn(String column, String own) {
        return declarationWith("embed.person.on.id", null, "embed.person.on." + column, own);
    }

    private static String startupError(Map<String, String> properties) {
        return DeclaredFeeds.startupError(DATABASE.catalogue(), properties);
    }

    private static Feed feed(Map<String, String> properties) {
        return DeclaredFeeds.resolve(DATABASE.catalogue(), properties).find("f").orElseThrow();
    }

    private static Embed embed(Map<String, String> properties) {
        return feed(properties).embeds().get(0);
    }

    @Test
    void anEmbedHasTheDeclaredColumnsInTheirOrder() {
        Embed embed = embed(declarationWith("embed.person.columns", "code, name"));
        assertThat(embed.name()).isEqualTo("person");
        assertThat(embed.schema() + '.' + embed.table()).isEqualTo("public.embeddable");
        assertThat(embed.columns()).extracting("name").containsExactly("code", "name");
    }

    /** YAML 1.1 would read the key {@code on} as a boolean. */
    @Test
    void theKeyOnNeedsNoQuotesInYaml() {
        Feed feed = DeclaredFeeds.resolveFile(DATABASE.catalogue(), """
                        tidemark:
                          feeds:
                            f:
                              table: embedding
                              orders: {newest: at desc}
                              embed:
                                person: {table: embeddable, on: {id: author_id}, columns: [name]}
                                pair:
                                  table: embeddable_pair
                                  on: {shop: shop, number: number}
                                  columns: [name]
                        """, false)
                .all()
                .get(0);
        assertThat(feed.embeds()).extracting(Embed::name).containsExactly("pair", "person");
        assertThat(feed.embeds().get(0).on()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "id, small",
        "id, author_id",
        "code, word",
        "amount, author_id",
        "amount, amount",
        "token, token",
        "folded, folded",
        "Odd id, small"
    })
    void anIndexFindsValuesOfARelatedType(String column, String own) {
        assertThat(startupError(declarationOn(column, own))).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            embed.person           | embeddable   | embed.person: must be a map of table, on, and columns
            embed.person.table     | nowhere      | embed.person.table: there is no table or view 'nowhere'
            embed.person.table     | public.embedable | there is no table or view 'public.embedable'; the nearest name is public.embeddable
            embed.person.table     | ''           | embed.person.table: is missing
            embed.person.table     | a.b.c.d      | embed.person.table: cannot be read
            embed.person.columns   | ''           | embed.person.columns: is missing: list the columns to show
            embed.person.columns   | name, name   | embed.person.columns: lists a column twice
            embed.person.columns   | nam          | embed.person.columns: there is no column 'nam' in public.embeddable; the nearest name is name
            embed.person.colums    | name         | embed.person.colums: unknown property; the nearest name is columns
            embed.person.on.id     | autor_id     | embed.person.on.id: there is no column 'autor_id' in public.embedding; the nearest name is author_id
            embed.person.on.idd    | author_id    | embed.person.on.idd: there is no column 'idd' in public.embeddable; the nearest name is id
            embed.person.on.id     | word         | embed.person.on.id: column 'word' of type text cannot be compared with the index on column 'id' of type bigint
            embed.person.on.id     | amount       | embed.person.on.id: column 'amount' of type numeric cannot be compared with the index
            embed.person.on.id     | token        | embed.person.on.id: column 'token' of type uuid cannot be compared
            embed.person.on.name   | word         | embed.person.on: no primary key or unique index of public.embeddable consists of (id, name)
            embed.limit.table      | embeddable   | embed.limit: an embed must not have the name of a parameter
            embed.author.table     | embeddable   | embed.author: an embed must not have the name of a column of public.embedding
            embed.at.table         | embeddable   | embed.at: an embed must not have the name of a column
            embed."a,b".table      | embeddable   | embed.a,b: an embed's name must not contain a comma
            embed.other.table      | embeddable   | embed.other.on: is missing: map the columns of a key
            embed                  | person       | embed: must be a map of names
            """)
    void aFaultStopsTheStartWithItsReason(String property, String value, String fault) {
        assertThat(startupError(declarationWith(property, value))).contains(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            many   | small | consists of (many); the unique keys are:
            part   | small | consists of (part)
            late   | small | consists of (late)
            lower  | word  | consists of (lower)
            maybe  | small | embed.person.on.maybe: column 'maybe' is nullable, so it cannot be part of a key
            """)
    void theColumnsMustBeAKeyWithoutNulls(String column, String own, String fault) {
        assertThat(startupError(declarationOn(column, own)))
                .contains(fault)
                .as("no row says that the columns could be a key")
                .doesNotContain("CREATE UNIQUE INDEX", "SET NOT NULL");
    }

    private static List<Fault> faultsOver(String rows, String... on) {
        DATABASE.run("""
                DROP TABLE IF EXISTS embeddable_rows;
                CREATE TABLE embeddable_rows (id bigint PRIMARY KEY, author int, mail varchar(99) UNIQUE, shop int, number int, body text NOT NULL);
                INSERT INTO embeddable_rows SELECT i, %s FROM generate_series(1, 12000) i;
                """.formatted(rows));
        String[] changes = new String[4 + 2 * on.length];
        System.arraycopy(
                new String[] {"embed.person.table", "embeddable_rows", "embed.person.on.id", null}, 0, changes, 0, 4);
        for (int i = 0; i < on.length; i++) {
            changes[4 + 2 * i] = "embed.person.on." + on[i];
            changes[5 + 2 * i] = on[i].equals("mail") || on[i].equals("body") ? "word" : "small";
        }
        Map<String, String> declaration = declarationWith(changes);
        declaration.put("f.embed.person.columns", "id");
        return DeclaredFeeds.newFeedCheck(DATABASE.catalogue())
                .check(List.of(FeedSource.of("feeds", FeedsText.of(declaration))))
                .await()
                .indefinitely()
                .faults()
                .all();
    }

    /** The statements would fail, and leave an invalid index, or belong to the wrong column. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
            i % 9, 'm' || i, 1, i, ''                     ; author      ; "(author) does not identify a row of public.embeddable_rows: several rows have the same values; map the columns of a unique key; the unique keys are: " ; 2
            CASE WHEN i < 12000 THEN i END, NULL, 1, i, '' ; author      ; embed.person.on.author: column 'author' has NULLs, so it cannot be part of a key ; 2
            least(i, 11999), 'm' || i, 1, i, ''           ; author      ; (author) does not identify a row                                                 ; 2
            i, nullif('m' || i, 'm7'), 1, i, ''           ; mail        ; embed.person.on.mail: column 'mail' has NULLs, so it cannot be part of a key     ; 1
            i, 'm' || i, 1, i / 2, ''                     ; shop,number ; (number, shop) does not identify a row                                           ; 3
            i, 'm' || i, i, 1, i::text                    ; body        ; no primary key or unique index of public.embeddable_rows consists of (body)      ; 1
            """)
    void noStatementIsPrintedThatTheRowsContradict(String rows, String on, String fault, int count) {
        assertThat(faultsOver(rows, on.split(",")))
                .hasSize(count)
                .anySatisfy(found -> assertThat(found.toString()).contains(fault))
                .allSatisfy(found -> {
                    assertThat(found.script()).isEmpty();
                    assertThat(found.toString()).doesNotContain("missing:");
                });
    }

    @ParameterizedTest
    @CsvSource({"author, 2", "mail, 1", "'shop,number', 3"})
    void theStatementsThatMakeColumnsAKeyWorkIfTheRowsAllowThem(String on, int count) {
        List<Fault> faults = faultsOver("i, 'm' || i, i % 100, i / 100, ''", on.split(","));
        assertThat(faults).hasSize(count).allSatisfy(fault -> assertThat(fault.script())
                .hasSize(1));
        faults.forEach(fault -> DATABASE.rows(fault.script().get(0)));
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThat(startupError(declarationWith(
                        "table", "nowhere",
                        "embed.person.table", "nowhere_else",
                        "embed.person.columns", "name, name",
                        "orders.newest", "at down")))
                .contains("there is no table or view 'nowhere'", "'nowhere_else'", "twice", "at down");
        assertThat(startupError(declarationWith(
                        "columns", "id, none",
                        "embed.person.columns", "gone",
                        "embed.person.on.id", "word")))
                .contains("'none'", "'gone'", "cannot be compared");
    }

    @Test
    void onlyARowOfATableCanBeEmbedded() {
        assertThat(startupError(declarationWith("embed.person.table", "embeddable_view")))
                .contains("embed.person.table: public.embeddable_view is a view or foreign table");
        assertThat(startupError(declarationWith("embed.person.table", "embeddable_parent")))
                .contains("public.embeddable_parent is a parent table");
        assertThat(startupError(declarationWith("delta", "true", "embed.person.table", "embeddable_view")))
                .contains("embed.person.table: the feed has delta", "embeddable_view is a view");
        assertThat(startupError(declarationWith("delta", "true"))).isEqualTo("none");
    }

    @Test
    void aRowOfAPartitionedTableCanBeEmbedded() {
        DATABASE.run("""
                DROP TABLE IF EXISTS embeddable_parts;
                CREATE TABLE embeddable_parts (id bigint PRIMARY KEY, name text) PARTITION BY HASH (id);
                CREATE TABLE embeddable_parts_0 PARTITION OF embeddable_parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
                """);
        assertThat(startupError(declarationWith("delta", "true", "embed.person.table", "embeddable_parts")))
                .isEqualTo("none");
    }

    @Test
    void aColumnThatMayNotBeReadIsAFaultThatNamesItsTable() {
        DATABASE.run("""
                CREATE ROLE embedder LOGIN;
                GRANT SELECT ON embedding TO embedder;
                GRANT SELECT (name) ON embeddable TO embedder;
                """);
        TestDatabase reader = TestDatabase.asRole("embedder");
        try {
            Faults faults = DeclaredFeeds.newFeedCheck(reader.catalogue())
                    .check(List.of(FeedSource.of("feeds", FeedsText.of(declarationWith("delta", "true")))))
                    .await()
                    .indefinitely()
                    .faults();
            assertThat(faults.all()).singleElement().satisfies(fault -> {
                assertThat(fault.toString())
                        .isEqualTo("table: the first page cannot be read: permission denied for table embeddable");
            });
        } finally {
            reader.close();
            DATABASE.rows("DROP OWNED BY embedder; DROP ROLE embedder");
        }
    }

    @Test
    void theCollationOfTheKeyIsUsedIfTheColumnsHaveDifferentOnes() {
        DATABASE.run("""
                DROP TABLE IF EXISTS embeddable_texts, embedding_texts;
                CREATE TABLE embeddable_texts (code text COLLATE "C" PRIMARY KEY, name text);
                CREATE TABLE embedding_texts (id int PRIMARY KEY, code text COLLATE "POSIX", "default" text COLLATE "C");
                """);
        for (String own : new String[] {"code", "default"}) {
            Embed embed = embed(Map.of(
                    "f.table", "embedding_texts",
                    "f.orders.id", "id",
                    "f.embed.other.table", "embeddable_texts",
                    "f.embed.other.on.code", own,
                    "f.embed.other.columns", "name"));
            if (own.equals("code")) {
                assertThat(embed.on().get(0).collation()).contains("pg_catalog.\"C\"");
            } else {
                assertThat(embed.on().get(0).collation()).isEmpty();
            }
        }
    }

    /**
     * Otherwise, PostgreSQL would not use the index, and could find several rows under a nondeterministic collation.
     */
    @Test
    void theCollationOfTheIndexIsUsedIfItsColumnHasAnotherOne() {
        DATABASE.run("""
                DROP TABLE IF EXISTS embeddable_words, embedding_words;
                CREATE TABLE embeddable_words (word text NOT NULL, name text);
                CREATE UNIQUE INDEX ON embeddable_words (word COLLATE "C");
                CREATE TABLE embedding_words (id int PRIMARY KEY, word text);
                """);
        Embed embed = embed(Map.of(
                "f.table", "embedding_words",
                "f.orders.id", "id",
                "f.embed.other.table", "embeddable_words",
                "f.embed.other.on.word", "word",
                "f.embed.other.columns", "name"));
        assertThat(embed.on().get(0).collation()).contains("pg_catalog.\"C\"");
    }
}
