package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@UsesTestDatabase
class MembershipSizesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS letters, busy_members, even_members, few_members, unseen_members;
                CREATE TABLE letters (id int PRIMARY KEY, room int NOT NULL);
                CREATE TABLE busy_members (reader text, room int, part text, PRIMARY KEY (reader, room));
                INSERT INTO busy_members SELECT CASE WHEN i <= 300 THEN 'ada' ELSE 'reader ' || i END, i, 'a' FROM generate_series(1, 2000) i;
                CREATE TABLE even_members (reader text, room int, PRIMARY KEY (reader, room));
                INSERT INTO even_members SELECT 'reader ' || i % 10, i FROM generate_series(1, 3000) i;
                CREATE TABLE few_members (reader text, room int, PRIMARY KEY (reader, room));
                INSERT INTO few_members SELECT 'reader ' || i % 100, i FROM generate_series(1, 3000) i;
                CREATE TABLE unseen_members (reader text, room int, PRIMARY KEY (reader, room));
                ANALYZE busy_members, even_members, few_members;
                """);
    }

    /** @param more further properties, each followed by its value */
    private static List<String> warnings(String table, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "table", "letters",
                "orders.o", "id",
                "scope.room.in", table + ".room",
                "scope.room.where.reader", "claim:sub"));
        properties.addAll(List.of(more));
        return DATABASE.catalogue()
                .findLargeMemberships(List.of(DATABASE.feed(properties.toArray(String[]::new))))
                .await()
                .atMost(Duration.ofSeconds(30))
                .get(0);
    }

    @Test
    void aWarningSaysThatOneCallerCanHaveTooManyMemberships() {
        assertThat(warnings("busy_members"))
                .containsExactly(
                        "scope.room: a caller can have about 300 memberships in public.busy_members. Beyond 200,"
                                + " PostgreSQL joins the tables, and can read many rows for a page");
        assertThat(warnings("even_members")).singleElement().asString().contains("about 300 memberships");
    }

    @Test
    void thereIsNoWarningIfNoCallerHasTooManyOrTheStatisticsDoNotTell() {
        assertThat(warnings("few_members")).isEmpty();
        assertThat(warnings("unseen_members")).isEmpty();
        assertThat(warnings("busy_members", "scope.room.where.part", "claim:sub"))
                .isEmpty();
        assertThat(warnings("busy_members", "scope.room.if", "part = 'a'")).isEmpty();
    }
}
