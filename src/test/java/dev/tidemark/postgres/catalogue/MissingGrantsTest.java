package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.Faults.Fault;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check of the feeds runs their statements as the role, and names the GRANT that is missing. */
@UsesTestDatabase
class MissingGrantsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private TestDatabase asReader;

    @BeforeEach
    void makeRole() {
        DATABASE.run("""
                DROP TABLE IF EXISTS "Lent", lent_seen CASCADE;
                DROP ROLE IF EXISTS "Lent Reader";
                CREATE ROLE "Lent Reader" LOGIN;
                CREATE TABLE "Lent" (id bigint PRIMARY KEY, "At" timestamptz NOT NULL, hidden text);
                """);
        asReader = TestDatabase.asRole("Lent Reader");
    }

    @AfterEach
    void close() {
        asReader.close();
        DATABASE.run("DROP OWNED BY \"Lent Reader\"; DROP ROLE \"Lent Reader\"; DROP TABLE \"Lent\" CASCADE");
    }

    private List<Fault> faults(String... properties) {
        Map<String, String> declared = new HashMap<>(Map.of("lent.table", "\"Lent\"", "lent.orders.newest", "At desc"));
        for (int i = 0; i < properties.length; i += 2) {
            declared.put("lent." + properties[i], properties[i + 1]);
        }
        CheckedFeeds checked = DeclaredFeeds.newFeedCheck(asReader.catalogue())
                .check(declared)
                .await()
                .atMost(Duration.ofSeconds(30));
        assertThat(checked.feeds()).hasSize(checked.faults().isEmpty() ? 1 : 0);
        return checked.faults().all();
    }

    @Test
    void aFeedWithDeltaNeedsTheSystemColumnsOfItsRows() {
        DATABASE.run("GRANT SELECT (id, \"At\") ON \"Lent\" TO \"Lent Reader\"");
        String[] feed = {"columns", "id, At", "delta", "true"};

        assertThat(faults(feed)).singleElement().satisfies(fault -> {
            assertThat(fault.toString())
                    .isEqualTo("columns: cannot be read: permission denied for table Lent; missing:"
                            + " GRANT SELECT (xmin, tableoid) ON public.\"Lent\" TO \"Lent Reader\";");
            DATABASE.run(String.join(";\\n", fault.script()));
        });
        assertThat(faults(feed)).isEmpty();
    }

    @Test
    void theScriptOfARoleThatMayReadNothingGrantsAllUsedColumns() {
        String[] feed = {"columns", "id", "visible", "\"At\" < now()"};

        assertThat(faults(feed)).singleElement().satisfies(fault -> {
            assertThat(fault.toString())
                    .startsWith("table: cannot be read: permission denied for table Lent; missing: GRANT SELECT ");
            assertThat(fault.script())
                    .containsExactly("GRANT SELECT (id, \"At\") ON public.\"Lent\" TO \"Lent Reader\";");
            DATABASE.run(String.join(";\\n", fault.script()));
        });
        assertThat(faults(feed)).isEmpty();
    }

    /** The view can be in another schema. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            security_barrier | GRANT SELECT (lent, person) ON "Lent out".members TO "Lent Reader";
            security_invoker | GRANT SELECT (lent, person) ON "Lent out".members TO "Lent Reader"; GRANT SELECT ("Left", lent, person) ON "Lent out".groups TO "Lent Reader";
            """)
    void whatTheViewOfAMembershipLacksIsGranted(String option, String grant) {
        if (option.equals("security_invoker")) {
            DATABASE.assumeAtLeast(15);
        }
        DATABASE.run("""
                DROP SCHEMA IF EXISTS "Lent out" CASCADE;
                CREATE SCHEMA "Lent out";
                CREATE TABLE "Lent out".groups (lent bigint, person varchar(99), "Left" boolean, secret text);
                CREATE VIEW "Lent out".members WITH (%1$s) AS SELECT lent, person FROM "Lent out".groups WHERE NOT "Left";
                GRANT SELECT ON "Lent" TO "Lent Reader";
                """.formatted(option));
        String[] feed = {"scope.id.in", "\"Lent out\".members.lent", "scope.id.where.person", "claim:sub"};

        assertThat(faults(feed)).singleElement().satisfies(fault -> {
            assertThat(fault.toString())
                    .isEqualTo("scope.id.in: cannot be read: permission denied for schema Lent out; missing:"
                            + " GRANT USAGE ON SCHEMA \"Lent out\" TO \"Lent Reader\";");
            fault.script().forEach(DATABASE::run);
        });
        assertThat(faults(feed)).singleElement().satisfies(fault -> {
            assertThat(fault.toString())
                    .isEqualTo("scope.id.in: cannot be read: permission denied for view members; missing: " + grant);
            DATABASE.run(fault.script().get(0).replace("; ", ";\n"));
        });
        assertThat(faults(feed)).isEmpty();
    }

    @Test
    void aFeedWithoutAKeyNeedsAllColumns() {
        DATABASE.run(
                "GRANT SELECT (id, \"At\") ON \"Lent\" TO \"Lent Reader\"; CREATE VIEW lent_seen AS SELECT * FROM \"Lent\"");
        DATABASE.run("GRANT SELECT (id, \"At\") ON lent_seen TO \"Lent Reader\"");
        String[] feed = {"table", "lent_seen", "columns", "id, At", "universal.strategy", "offset"};

        assertThat(faults(feed)).singleElement().satisfies(fault -> {
            assertThat(fault.script()).containsExactly("GRANT SELECT (hidden) ON public.lent_seen TO \"Lent Reader\";");
            DATABASE.run(String.join(";\\n", fault.script()));
        });
        assertThat(faults(feed)).isEmpty();
    }

    /** Only the statement itself shows that the role may not run a function of PostgreSQL. */
    @Test
    void aStatementThatTheRoleMayNotRunIsAFaultThatNamesThePage() {
        DATABASE.run(
                "GRANT SELECT ON \"Lent\" TO \"Lent Reader\"; REVOKE EXECUTE ON FUNCTION pg_relation_filepath FROM PUBLIC");
        try {
            assertThat(faults("delta", "true"))
                    .extracting(Fault::toString)
                    .containsExactly(
                            "table: the first page cannot be read: permission denied for function pg_relation_filepath");
        } finally {
            DATABASE.run("GRANT EXECUTE ON FUNCTION pg_relation_filepath TO PUBLIC");
        }
    }
}
