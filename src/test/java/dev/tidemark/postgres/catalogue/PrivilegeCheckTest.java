package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.Catalogue.ExcessPrivileges;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.vertx.mutiny.sqlclient.Pool;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Warnings about a role that may do more than read. */
@UsesTestDatabase
class PrivilegeCheckTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private TestDatabase readerDatabase;

    @BeforeEach
    void makeRole() {
        DATABASE.run("""
                DROP TABLE IF EXISTS "Prized" CASCADE;
                DROP ROLE IF EXISTS modest, owning;
                CREATE ROLE modest LOGIN NOSUPERUSER;
                CREATE ROLE owning NOLOGIN;
                CREATE TABLE "Prized" (id bigint PRIMARY KEY, body text);
                GRANT SELECT ON "Prized" TO modest;
                """);
        readerDatabase = TestDatabase.asRole("modest");
    }

    @AfterEach
    void close() {
        readerDatabase.close();
        DATABASE.run("""
                DROP TABLE "Prized";
                DROP ROLE modest;
                DROP ROLE owning;
                """);
    }

    private List<ExcessPrivileges> excess() {
        return new PrivilegeCheck(new Pool(readerDatabase.pool()))
                .findExcess(List.of(readerDatabase.feed("table", "\"Prized\"", "orders.o", "id")))
                .await()
                .atMost(Duration.ofSeconds(30));
    }

    @Test
    void aReadOnlyRoleCausesNoWarning() {
        assertThat(excess()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GRANT INSERT ON "Prized" TO modest                | INSERT
            GRANT UPDATE (body) ON "Prized" TO modest         | UPDATE
            GRANT INSERT (id) ON "Prized" TO PUBLIC           | INSERT
            GRANT DELETE, TRUNCATE ON "Prized" TO modest      | DELETE, TRUNCATE
            ALTER TABLE "Prized" OWNER TO modest              | ownership
            ALTER ROLE modest SUPERUSER                       | SUPERUSER
            """)
    void aPrivilegeBeyondReadingIsReportedWithItsFeed(String grant, String power) {
        DATABASE.run(grant);
        assertThat(excess()).singleElement().satisfies(found -> {
            assertThat(found.feed()).startsWith("feed");
            assertThat(found.description()).isEqualTo("role modest has " + power + " on public.\"Prized\"");
        });
    }

    @Test
    void aMemberOfTheOwnerCountsAsOwner() {
        DATABASE.run("ALTER TABLE \"Prized\" OWNER TO owning");
        DATABASE.run("GRANT owning TO modest");
        assertThat(excess())
                .singleElement()
                .extracting(ExcessPrivileges::privileges)
                .isEqualTo("ownership");
    }

    @Test
    void aRoleThatBypassesRowSecurityCausesAWarning() {
        DATABASE.run("ALTER ROLE modest BYPASSRLS");
        assertThat(excess()).as("without row security").isEmpty();
        DATABASE.run("ALTER TABLE \"Prized\" ENABLE ROW LEVEL SECURITY");
        assertThat(excess())
                .singleElement()
                .extracting(ExcessPrivileges::privileges)
                .isEqualTo("BYPASSRLS");
    }
}
