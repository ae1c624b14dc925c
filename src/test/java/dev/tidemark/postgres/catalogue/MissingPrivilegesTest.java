package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.FeedsText;
import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.Faults.Fault;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.settings.FeedSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of the feeds plans their statements as the role, and says what it may not read. */
@UsesTestDatabase
class MissingPrivilegesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private TestDatabase asReader;

    @BeforeEach
    void makeRole() {
        DATABASE.run("""
                DROP TABLE IF EXISTS "Lent", lenders CASCADE;
                DROP ROLE IF EXISTS "Lent Reader";
                CREATE ROLE "Lent Reader" LOGIN;
                CREATE TABLE "Lent" (id bigint PRIMARY KEY, "At" timestamptz NOT NULL, hidden text, veiled int NOT NULL);
                GRANT SELECT (id, "At") ON "Lent" TO "Lent Reader";
                """);
        asReader = TestDatabase.asRole("Lent Reader");
    }

    @AfterEach
    void close() {
        asReader.close();
        DATABASE.run(
                "DROP OWNED BY \"Lent Reader\"; DROP ROLE \"Lent Reader\"; DROP TABLE IF EXISTS \"Lent\", lenders CASCADE");
    }

    private List<Fault> faults(String... properties) {
        Map<String, String> declared =
                new HashMap<>(Map.of("lent.table", "\"Lent\"", "lent.columns", "id", "lent.orders.newest", "At desc"));
        for (int i = 0; i < properties.length; i += 2) {
            declared.put("lent." + properties[i], properties[i + 1]);
        }
        CheckedFeeds checked = DeclaredFeeds.newFeedCheck(asReader.catalogue())
                .check(List.of(FeedSource.of("feeds", FeedsText.of(declared))))
                .await()
                .atMost(Duration.ofSeconds(30));
        assertThat(checked.feeds()).hasSize(checked.faults().isEmpty() ? 1 : 0);
        return checked.faults().all();
    }

    private List<String> messages(String... properties) {
        return faults(properties).stream().map(Fault::toString).toList();
    }

    @Test
    void aFeedNeedsOnlyTheColumnsThatItReads() {
        assertThat(messages()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            columns        | id, hidden         | first page
            filters.hidden | text               | page by order newest
            filters.veiled | range              | page by order newest
            orders.hiding  | hidden             | page by order hiding
            delta          | true               | first page since a moment
            scope.hidden   | claim:sub          | first page
            visible        | hidden is not null |
            """)
    void aColumnThatMayNotBeReadIsAFaultThatNamesItsTable(String property, String value, String page) {
        assertThat(messages(property, value, "default-order", "newest"))
                .containsExactly(
                        page == null
                                ? "visible: cannot be read: permission denied for table Lent"
                                : "table: the " + page + " cannot be read: permission denied for table Lent");
        DATABASE.run("GRANT SELECT ON \"Lent\" TO \"Lent Reader\"");
        assertThat(messages(property, value, "default-order", "newest")).isEmpty();
    }

    @Test
    void aTableThatMayNotBeReadAtAllIsOneFault() {
        DATABASE.run("REVOKE SELECT (id, \"At\") ON \"Lent\" FROM \"Lent Reader\"");
        assertThat(messages("visible", "\"At\" < now()"))
                .containsExactly("table: cannot be read: permission denied for table Lent");
    }

    @Test
    void theColumnsOfAnEmbedAreNeededToo() {
        DATABASE.run("CREATE TABLE lenders (id bigint PRIMARY KEY, name text)");
        String[] feed = {"embed.lender.table", "lenders", "embed.lender.on.id", "id", "embed.lender.columns", "name"};
        assertThat(messages(feed))
                .containsExactly("embed.lender.table: cannot be read: permission denied for table lenders");
        DATABASE.run("GRANT SELECT (id) ON lenders TO \"Lent Reader\"");
        assertThat(messages(feed))
                .containsExactly("table: the first page cannot be read: permission denied for table lenders");
        DATABASE.run("GRANT SELECT (name) ON lenders TO \"Lent Reader\"");
        assertThat(messages(feed)).isEmpty();
    }

    /** A view can read the tables under it with the privileges of the role. */
    @ParameterizedTest
    @ValueSource(strings = {"security_barrier", "security_invoker"})
    void theTablesOfAMembershipAreNeededToo(String option) {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS "Lent out" CASCADE;
                CREATE SCHEMA "Lent out";
                CREATE TABLE "Lent out".groups (lent bigint, person varchar(99), "Left" boolean, secret text);
                CREATE VIEW "Lent out".members WITH (%1$s) AS SELECT lent, person FROM "Lent out".groups WHERE NOT "Left";
                """.formatted(option));
        String[] feed = {"scope.id.in", "\"Lent out\".members.lent", "scope.id.where.person", "claim:sub"};

        assertThat(messages(feed))
                .containsExactly("scope.id.in: cannot be read: permission denied for schema Lent out");
        DATABASE.run("GRANT USAGE ON SCHEMA \"Lent out\" TO \"Lent Reader\"");
        assertThat(messages(feed)).containsExactly("scope.id.in: cannot be read: permission denied for view members");
        DATABASE.run("GRANT SELECT (lent) ON \"Lent out\".members TO \"Lent Reader\"");
        if (option.equals("security_invoker")) {
            assertThat(messages(feed))
                    .containsExactly("scope.id.in: cannot be read: permission denied for table groups");
            DATABASE.run("GRANT SELECT (lent, person, \"Left\") ON \"Lent out\".groups TO \"Lent Reader\"");
        }
        assertThat(messages(feed))
                .containsExactly("table: the first page cannot be read: permission denied for view members");
        DATABASE.run("GRANT SELECT (person) ON \"Lent out\".members TO \"Lent Reader\"");
        assertThat(messages(feed)).isEmpty();
    }

    @Test
    void theTablesOfAPolicyAreNeededToo() {
        DATABASE.run("""
                CREATE TABLE lenders (id bigint);
                ALTER TABLE "Lent" ENABLE ROW LEVEL SECURITY;
                CREATE POLICY lending ON "Lent" USING (EXISTS (SELECT 1 FROM lenders l WHERE l.id = "Lent".id));
                """);
        assertThat(messages()).containsExactly("table: cannot be read: permission denied for table lenders");
        DATABASE.run("GRANT SELECT ON lenders TO \"Lent Reader\"");
        assertThat(messages()).isEmpty();
    }

    /** The pages of a feed without a key compare the columns that the feed shows. */
    @Test
    void aFeedWithoutAKeyNeedsOnlyTheColumnsThatItReads() {
        DATABASE.run("CREATE VIEW lent_seen AS SELECT * FROM \"Lent\"");
        DATABASE.run("GRANT SELECT (id, \"At\") ON lent_seen TO \"Lent Reader\"");
        String[] feed = {"table", "lent_seen", "universal.strategy", "offset"};

        assertThat(messages(feed)).isEmpty();
        DATABASE.run("REVOKE SELECT (id) ON lent_seen FROM \"Lent Reader\"");
        assertThat(messages(feed))
                .containsExactly(
                        "table: the page by order newest cannot be read: permission denied for view lent_seen");
    }

    /** Only the statement itself shows that the role may not run a function of PostgreSQL. */
    @Test
    void aStatementThatTheRoleMayNotRunIsAFaultThatNamesThePage() {
        DATABASE.run(
                "GRANT SELECT ON \"Lent\" TO \"Lent Reader\"; REVOKE EXECUTE ON FUNCTION pg_relation_filepath FROM PUBLIC");
        try {
            assertThat(messages("delta", "true"))
                    .containsExactly(
                            "table: the first page cannot be read: permission denied for function pg_relation_filepath");
        } finally {
            DATABASE.run("GRANT EXECUTE ON FUNCTION pg_relation_filepath TO PUBLIC");
        }
    }
}
