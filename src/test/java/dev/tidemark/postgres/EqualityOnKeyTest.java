package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conditions of equality on a key of the order, with an index that starts with this key, and continues with another
 * column that has such a condition. PostgreSQL 17.9 returns wrong rows for a comparison of rows that starts with the
 * key.
 */
@UsesTestDatabase
class EqualityOnKeyTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS flagged, ticked, stained CASCADE;
                CREATE TABLE flagged (id bigint PRIMARY KEY, tie int NOT NULL, flag boolean NOT NULL, word text NOT NULL);
                INSERT INTO flagged SELECT i, i % 30, i % 4 < 2, repeat('w', 500) FROM generate_series(1, 900) i;
                CREATE INDEX ON flagged (flag, tie, word, id DESC);
                CREATE TABLE ticked (id bigint PRIMARY KEY, tie int NOT NULL, flag boolean NOT NULL);
                INSERT INTO ticked SELECT i, i % 3, i % 4 < 2 FROM generate_series(1, 1500) i;
                CREATE INDEX ON ticked (flag, tie DESC, id);
                CREATE TABLE stained (id bigint PRIMARY KEY, tenant int NOT NULL, color text NOT NULL, word text NOT NULL);
                INSERT INTO stained SELECT i, i % 3, 'c' || i / 4 % 60, repeat('w', 500) FROM generate_series(1, 6000) i;
                CREATE INDEX ON stained (color, tenant, word, id);
                CREATE VIEW stained_view AS
                  SELECT * FROM stained WHERE color IN ('c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9');
                DROP TABLE IF EXISTS dyed, dyers, sent;
                CREATE TABLE dyed (id bigint PRIMARY KEY, tie int NOT NULL, color int NOT NULL);
                INSERT INTO dyed SELECT i, i % 3, i / 3 % 5 FROM generate_series(1, 1500) i;
                CREATE INDEX ON dyed (color, tie DESC, id);
                CREATE FUNCTION is_flagged(t ticked) RETURNS boolean LANGUAGE sql STABLE RETURN t.flag;
                CREATE TABLE sent (id bigint PRIMARY KEY, tie int NOT NULL, sent_ms int NOT NULL);
                INSERT INTO sent SELECT i, i % 3, i % 4 / 2 FROM generate_series(1, 1500) i;
                CREATE INDEX ON sent (sent_ms, tie DESC, id);
                CREATE TABLE dyers (person text NOT NULL, color int NOT NULL, PRIMARY KEY (person, color));
                INSERT INTO dyers VALUES ('ada', 1), ('ada', 3);
                ANALYZE flagged;
                ANALYZE ticked;
                ANALYZE stained;
                ANALYZE dyed;
                ANALYZE dyers;
                ANALYZE sent;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tie, flag", "tie desc, flag desc", "tie, flag desc"})
    void aFilterCanHaveSeveralValues(String order) {
        Feed feed = DATABASE.feed("table", "flagged", "columns", "id", "orders.o", order, "filters.flag", "equals");
        String idDirection = order.endsWith("desc") ? " DESC" : "";
        assertWalk(feed, "flagged ORDER BY " + order + ", id" + idDirection, anyOf(feed, "flag", "false", "true"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void aFilterCanHaveASingleValue(String value) {
        Feed feed = DATABASE.feed(
                "table", "ticked", "columns", "id", "orders.o", "tie desc, flag", "filters.flag", "equals");
        assertWalk(feed, "ticked WHERE flag = " + value + " ORDER BY tie DESC, flag, id", anyOf(feed, "flag", value));
    }

    @Test
    void aScopeCanHaveAClaim() {
        Feed feed = DATABASE.feed(
                "table", "ticked", "columns", "id", "orders.o", "tie desc, flag", "scope.flag", "claim:f");
        Condition scope = new Condition.InScope(feed.access().scope().get(0).column(), "true");
        assertWalk(feed, "ticked WHERE flag ORDER BY tie DESC, flag, id", scope);
    }

    @Test
    void aScopeCanBeAMembership() {
        Feed feed = DATABASE.feed(
                "table",
                "dyed",
                "columns",
                "id",
                "orders.o",
                "tie desc, color",
                "scope.color.in",
                "dyers.color",
                "scope.color.where.person",
                "claim:sub");
        Access.Membership membership = (Access.Membership) feed.access().scope().get(0);
        assertWalk(
                feed,
                "dyed WHERE color IN (1, 3) ORDER BY tie DESC, color, id",
                new Condition.InMembership(membership, List.of("ada")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stained      | color IN ('c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9')",
                "stained      | \"color\" = ANY (ARRAY['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9'])",
                "stained_view | true"
            })
    void aFeedOrAViewCanHaveTheCondition(String table, String visible) {
        Feed feed = DATABASE.feed(
                "table",
                table,
                "key",
                "id",
                "columns",
                "id",
                "orders.o",
                "color",
                "filters.tenant",
                "equals",
                "visible",
                visible);
        assertWalk(feed, "stained_view WHERE tenant = 1 ORDER BY color, id", anyOf(feed, "tenant", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"is_flagged(ticked)", "ticked.is_flagged", "U&\"\\0066lag\"", "(TICKED).is_flagged"})
    void theConditionOfAFeedCanHideTheColumn(String visible) {
        Feed feed = DATABASE.feed("table", "ticked", "columns", "id", "orders.o", "tie desc, flag", "visible", visible);
        assertWalk(feed, "ticked WHERE flag ORDER BY tie DESC, flag, id");
    }

    @Test
    void aScopeCanHaveTheClaimOfAColumnWithTimes() {
        Feed feed = DATABASE.feed(
                "table",
                "sent",
                "columns",
                "id",
                "orders.o",
                "tie desc, sent_ms",
                "epoch.sent_ms",
                "ms",
                "scope.sent_ms",
                "claim:s");
        Condition scope = new Condition.InScope(feed.access().scope().get(0).column(), "1");
        assertWalk(feed, "sent WHERE sent_ms = 1 ORDER BY tie DESC, sent_ms, id", scope);
    }

    @Test
    void aScopeCanBeOnAView() {
        Feed feed = DATABASE.feed(
                "table", "stained_view", "key", "id", "columns", "id", "orders.o", "color", "scope.tenant", "claim:t");
        Condition scope = new Condition.InScope(feed.access().scope().get(0).column(), "1");
        assertWalk(feed, "stained_view WHERE tenant = 1 ORDER BY color, id", scope);
    }

    @Test
    void rowLevelSecurityCanHaveTheCondition() {
        DATABASE.run("""
                DROP TABLE IF EXISTS guarded;
                DROP ROLE IF EXISTS flag_reader;
                CREATE ROLE flag_reader LOGIN;
                CREATE TABLE guarded AS SELECT * FROM ticked;
                ALTER TABLE guarded ADD PRIMARY KEY (id);
                CREATE INDEX ON guarded (flag, tie DESC, id);
                ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
                CREATE POLICY flagged_only ON guarded USING (flag);
                GRANT SELECT ON guarded TO flag_reader;
                ANALYZE guarded;
                """);
        TestDatabase asReader = TestDatabase.asRole("flag_reader");
        try {
            Feed feed = asReader.feed("table", "guarded", "columns", "id", "orders.o", "tie desc, flag");
            Walk walk = new Walk(asReader.reader(), feed, 37);
            List<String> expected = items("ticked WHERE flag ORDER BY tie DESC, flag, id");
            assertThat(walk.forward()).isEqualTo(expected);
            assertThat(walk.backward()).isEqualTo(expected);
        } finally {
            asReader.close();
            DATABASE.run("DROP TABLE guarded;\nDROP ROLE flag_reader");
        }
    }

    private static Condition anyOf(Feed feed, String filter, String... values) {
        return new Condition.AnyOf(feed.filters().get(filter).column(), List.of(values));
    }

    /** @param rows the rows of the list, as a part of a query */
    private static void assertWalk(Feed feed, String rows, Condition... conditions) {
        List<String> expected = items(rows);
        Walk walk = new Walk(DATABASE.reader(), feed, 37, conditions);
        assertThat(walk.forward()).isEqualTo(expected);
        assertThat(walk.backward()).isEqualTo(expected);
    }

    private static List<String> items(String rows) {
        return DATABASE.rows("SELECT id::text AS item FROM " + rows).stream()
                .map(row -> row.getString(0))
                .toList();
    }
}
