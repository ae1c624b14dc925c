package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One message describes all faults of all feeds. */
@UsesTestDatabase
class CatalogueFaultsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS faulty CASCADE;
                DROP TYPE IF EXISTS faulty_mood CASCADE;
                CREATE TYPE faulty_mood AS ENUM ('sad', 'happy');
                CREATE TABLE faulty (id bigint PRIMARY KEY, made timestamptz NOT NULL, mood faulty_mood, doc jsonb);
                """);
    }

    private static String message(String... properties) {
        Map<String, String> declared = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            declared.put(properties[i], properties[i + 1]);
        }
        Throwable stopped = catchThrowable(() -> DeclaredFeeds.resolve(DATABASE.catalogue(), declared));
        assertThat(stopped).as("the start is stopped").isNotNull();
        return String.valueOf(stopped.getMessage());
    }

    /** The message about this feed and a second feed with its own fault, which must also be reported. */
    private static String messageWithAnotherFaultyFeed(String... properties) {
        String[] all = new String[properties.length + 4];
        System.arraycopy(properties, 0, all, 0, properties.length);
        System.arraycopy(new String[] {"z.table", "no_such_table", "z.orders.o", "id"}, 0, all, properties.length, 4);
        return message(all);
    }

    @Test
    void faultsOfTheDeclarationAndOfTheTableAreReportedTogether() {
        assertThat(message(
                        "a.table", "faulty", "a.orders.o", "no_column", "a.nonsense", "1", "a.visible", "no_such > 1"))
                .contains("nonsense: unknown property")
                .contains("no_column")
                .contains("no_such");
    }

    @Test
    void anInvalidPropertyDoesNotHideAMissingTable() {
        assertThat(message("a.table", "not_there", "a.orders.o", "id", "a.limit.max", "many"))
                .contains("limit.max")
                .contains("not_there");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mood = 'glad'",
                "made > 'yesterdayy'",
                "1 / 0 = 1",
                "id = '1x'",
                "generate_series(1, 2) > 1",
                "doc = '{'",
                "made > now() - interval '1 foo'",
                "otherdb.public.faulty.id = 1",
                "true; drop table faulty",
                "$1",
                "true) or (true",
                "1",
                "count(*) > 1",
                "/*",
                "'",
                "$x$",
                "true, true",
                "true]) or (array[true",
                "row_number() over () > 1",
                "no_such_function(1)"
            })
    void anInvalidVisibleConditionIsReportedWithOtherFaults(String visible) {
        assertThat(messageWithAnotherFaultyFeed("a.table", "faulty", "a.orders.o", "made", "a.visible", visible))
                .contains("feed a")
                .contains("visible:")
                .contains("no_such_table");
    }

    @Test
    void anEmptyVisibleConditionIsReportedWithOtherFaults() {
        assertThat(messageWithAnotherFaultyFeed("a.table", "faulty", "a.orders.o", "made", "a.visible", " "))
                .contains("visible:");
    }

    @Test
    void aTableInASchemaThatTheRoleMayNotUseIsReportedAsSuch() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS closed CASCADE;
                DROP ROLE IF EXISTS outsider;
                CREATE ROLE outsider LOGIN;
                CREATE SCHEMA closed;
                CREATE TABLE closed.goods (id bigint PRIMARY KEY);
                GRANT SELECT ON closed.goods TO outsider;
                """);
        TestDatabase asOutsider = TestDatabase.asRole("outsider");
        try {
            assertThatThrownBy(() -> DeclaredFeeds.resolve(
                            asOutsider.catalogue(),
                            Map.of(
                                    "a.table",
                                    "closed.goods",
                                    "a.orders.o",
                                    "id",
                                    "z.table",
                                    "nowhere",
                                    "z.orders.o",
                                    "id")))
                    .hasMessageContaining("table: cannot be read: permission denied for schema closed")
                    .hasMessageContaining("table: there is no table or view 'nowhere'");
        } finally {
            asOutsider.close();
            DATABASE.run("DROP SCHEMA closed CASCADE; DROP ROLE outsider");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"otherdb.public.faulty", "a.b.c.d", "a..b", "\"", "", "faulty; drop table faulty", "-", "1259"})
    void anInvalidTableNameIsReportedWithOtherFaults(String table) {
        assertThat(messageWithAnotherFaultyFeed("a.table", table, "a.orders.o", "made"))
                .contains("feed a")
                .contains("no_such_table");
    }

    @Test
    void aFeedThatIsNotAMapIsReportedWithOtherFaults() {
        assertThat(messageWithAnotherFaultyFeed("a", "faulty"))
                .contains("feed a")
                .contains("no_such_table");
    }

    @Test
    void anUnreadableRelationIsReportedWithOtherFaults() {
        DATABASE.run("""
                DROP VIEW IF EXISTS unreadable;
                DROP ROLE IF EXISTS weak;
                CREATE ROLE weak;
                CREATE VIEW unreadable AS SELECT * FROM faulty;
                ALTER VIEW unreadable OWNER TO weak;
                """);
        assertThat(messageWithAnotherFaultyFeed("a.table", "unreadable", "a.key", "id", "a.orders.o", "made"))
                .contains("feed a")
                .contains("no_such_table");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "made,",
                "made,,id",
                ",made",
                "made desc desc",
                "made nulls",
                "made; id",
                "made desc nulls",
                "lower(made)"
            })
    void anInvalidOrderIsAFault(String order) {
        assertThat(messageWithAnotherFaultyFeed("a.table", "faulty", "a.orders.o", order))
                .contains("orders.o:");
    }

    @Test
    void aTextFilterOnANondeterministicCollationIsAFault() {
        DATABASE.run("""
                DROP TABLE IF EXISTS loosely;
                DROP COLLATION IF EXISTS loose_case;
                CREATE COLLATION loose_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                CREATE TABLE loosely (id bigint PRIMARY KEY, word text COLLATE loose_case);
                """);
        assertThat(messageWithAnotherFaultyFeed("a.table", "loosely", "a.orders.o", "id", "a.filters.word", "text"))
                .contains("filters.word");
    }
}
