package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.Catalogue.KeyFinding;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@UsesTestDatabase
class KeyVerificationTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeViews() {
        DATABASE.run("""
                DROP TABLE IF EXISTS keyed CASCADE;
                CREATE TABLE keyed (id int, "Odd ""name" text, reader text, hidden boolean NOT NULL);
                INSERT INTO keyed VALUES (1, 'a', 'ada', false), (2, 'a', 'ada', false), (2, 'b', 'bob', false), (3, 'c', 'ada', true), (3, 'c', 'bob', true), (3, 'c', NULL, true);
                CREATE VIEW keyed_all AS SELECT * FROM keyed;
                CREATE VIEW keyed_with_null AS SELECT * FROM keyed UNION ALL SELECT NULL, 'x', 'ada', false UNION ALL SELECT NULL, 'y', 'ada', false;
                CREATE VIEW keyed_slowly AS SELECT id FROM keyed CROSS JOIN LATERAL (SELECT pg_sleep(20)) AS waiting;
                CREATE VIEW keyed_badly AS SELECT id / 0 AS id FROM keyed;
                """);
    }

    private static KeyFinding verify(Duration timeout, String... properties) {
        return DATABASE.catalogue()
                .verifyKey(DATABASE.feed(properties), timeout)
                .await()
                .atMost(Duration.ofSeconds(60));
    }

    private static KeyFinding verify(String... properties) {
        return verify(Duration.ofSeconds(30), properties);
    }

    @Test
    void aKeyThatRepeatsIsWrong() {
        assertThat(verify("table", "keyed_all", "key", "id", "orders.o", "id"))
                .isEqualTo(KeyFinding.wrong("does not identify the rows, so pages can skip some: 2 values of (id)"
                        + " identify more than one row, such as 3, which 3 rows have"));
    }

    @Test
    void aKeyOfSeveralColumnsWithQuotesIsVerified() {
        assertThat(verify(
                        "table",
                        "keyed_all",
                        "key[0]",
                        "id",
                        "key[1]",
                        "Odd \"name",
                        "orders.o",
                        "id",
                        "visible",
                        "not hidden or false"))
                .isEqualTo(KeyFinding.VERIFIED);
    }

    @Test
    void nullsAreWrong() {
        assertThat(verify(
                        "table",
                        "keyed_with_null",
                        "key",
                        "id",
                        "orders.o",
                        "id",
                        "visible",
                        "reader = 'ada' and not hidden"))
                .isEqualTo(KeyFinding.wrong(
                        "does not identify the rows, so pages can skip some: 2 rows have NULL in (id)"));
    }

    /** Each list has the rows of one caller, so a key may repeat among callers. */
    @Test
    void aKeyHasToBeUniqueOnlyWithinAList() {
        assertThat(verify("table", "keyed_all", "key", "id", "orders.o", "id", "scope.reader", "claim:sub"))
                .isEqualTo(KeyFinding.VERIFIED);
    }

    @Test
    void aTimeoutOrAFailureIsNoVerdict() {
        assertThat(verify(Duration.ofMillis(200), "table", "keyed_slowly", "key", "id", "orders.o", "id"))
                .isEqualTo(KeyFinding.unknown(
                        "the query over all rows took longer than 200 ms; allow more time with --verify-keys=10s"));
        assertThat(verify("table", "keyed_badly", "key", "id", "orders.o", "id"))
                .isEqualTo(KeyFinding.unknown("the query over all rows failed: division by zero"));
    }
}
