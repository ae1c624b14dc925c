package dev.tidemark.postgres;

import dev.tidemark.Await;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other policies of row security apply to the role that reads, although no policy changes. */
@UsesTestDatabase
class ChangedRolesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    /** More often than PostgreSQL plans a statement for its values, and more often than there are connections. */
    private static final int READS = 30;

    private TestDatabase reader;

    @BeforeEach
    void makeTables() {
        DATABASE.run("""
                CREATE ROLE role_owner;
                CREATE ROLE role_seer;
                CREATE ROLE role_between;
                CREATE ROLE role_viewer;
                CREATE ROLE role_reader LOGIN;
                CREATE TABLE role_lists (id int PRIMARY KEY, seen boolean NOT NULL);
                INSERT INTO role_lists VALUES (1, true), (2, false);
                ALTER TABLE role_lists OWNER TO role_owner;
                ALTER TABLE role_lists ENABLE ROW LEVEL SECURITY;
                CREATE POLICY seen ON role_lists USING (seen);
                CREATE POLICY everything ON role_lists TO role_seer USING (true);
                CREATE VIEW role_view AS SELECT * FROM role_lists;
                ALTER VIEW role_view OWNER TO role_viewer;
                CREATE TABLE role_asking (id int PRIMARY KEY, seen boolean NOT NULL);
                INSERT INTO role_asking SELECT id, seen FROM role_lists;
                ALTER TABLE role_asking ENABLE ROW LEVEL SECURITY;
                CREATE POLICY asks ON role_asking USING (id IN (SELECT l.id FROM role_lists l));
                CREATE FUNCTION role_sees(int) RETURNS boolean LANGUAGE plpgsql STABLE
                  AS 'BEGIN RETURN EXISTS (SELECT FROM role_lists l WHERE l.id = $1); END';
                CREATE TABLE role_calling (id int PRIMARY KEY, seen boolean NOT NULL);
                INSERT INTO role_calling SELECT id, seen FROM role_lists;
                ALTER TABLE role_calling ENABLE ROW LEVEL SECURITY;
                CREATE POLICY calls ON role_calling USING (role_sees(id));
                CREATE TABLE role_plain (id int PRIMARY KEY, seen boolean NOT NULL);
                INSERT INTO role_plain SELECT id, seen FROM role_lists;
                GRANT role_between TO role_reader;
                GRANT SELECT ON role_lists, role_view, role_asking, role_calling, role_plain TO role_reader, role_viewer;
                """);
        reader = DATABASE.as("role_reader");
    }

    @AfterEach
    void dropTables() {
        reader.close();
        DATABASE.run("""
                DROP TABLE role_asking, role_calling, role_plain;
                DROP FUNCTION role_sees;
                DROP VIEW role_view;
                DROP TABLE role_lists;
                DROP OWNED BY role_owner, role_seer, role_between, role_viewer, role_reader;
                DROP ROLE role_owner, role_seer, role_between, role_viewer, role_reader;
                """);
    }

    private Feed feed(String relation, String order) {
        return DATABASE.feed("table", relation, "key", "id", "orders.o", order);
    }

    private List<Long> readOnce(Feed feed) {
        List<Long> ids = new ArrayList<>();
        reader.reader()
                .read(
                        new ListState(feed, feed.orders().byDefault(), List.of()),
                        new PageRequest(Optional.empty(), 10),
                        row -> ids.add(row.integer(0)))
                .await()
                .atMost(Duration.ofSeconds(60));
        return ids;
    }

    private void awaitReads(Feed feed, Long... ids) {
        Await.until("the rows " + List.of(ids), () -> {
            for (int i = 0; i < READS; i++) {
                if (!readOnce(feed).equals(List.of(ids))) {
                    return false;
                }
            }
            return true;
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "role_lists  | ALTER ROLE role_reader BYPASSRLS     | ALTER ROLE role_reader NOBYPASSRLS",
                "role_lists  | ALTER ROLE role_reader SUPERUSER     | ALTER ROLE role_reader NOSUPERUSER",
                "role_lists  | GRANT role_seer TO role_reader       | REVOKE role_seer FROM role_reader",
                "role_lists  | GRANT role_seer TO role_between        | REVOKE role_seer FROM role_between",
                "role_lists  | GRANT role_owner TO role_reader      | REVOKE role_owner FROM role_reader",
                "role_view   | ALTER ROLE role_viewer BYPASSRLS     | ALTER ROLE role_viewer NOBYPASSRLS",
                "role_view   | GRANT role_seer TO role_viewer       | REVOKE role_seer FROM role_viewer",
                "role_asking | GRANT role_seer TO role_reader       | REVOKE role_seer FROM role_reader",
                "role_calling | GRANT role_seer TO role_reader      | REVOKE role_seer FROM role_reader",
            })
    void aListShowsTheRowsOfThePoliciesThatApplyNow(String relation, String grant, String revoke) {
        for (Feed feed : List.of(feed(relation, "id"), feed(relation, "seen desc, id"))) {
            changesWith(feed, grant, revoke);
        }
    }

    private void changesWith(Feed feed, String grant, String revoke) {
        awaitReads(feed, 1L);
        DATABASE.run(grant);
        awaitReads(feed, 1L, 2L);
        DATABASE.run(revoke);
        awaitReads(feed, 1L);
    }

    @Test
    void aConditionOnAViewFollowsTheRolesOfItsOwner() {
        Feed feed = DATABASE.feed(
                "table",
                "role_plain",
                "key",
                "id",
                "orders.o",
                "id",
                "visible",
                "id in (select v.id from role_view v)");

        changesWith(feed, "GRANT role_seer TO role_viewer", "REVOKE role_seer FROM role_viewer");
    }
}
