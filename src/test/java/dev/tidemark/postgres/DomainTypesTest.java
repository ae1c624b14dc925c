package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Like their base types, domains can be used for keys and filters. */
@UsesTestDatabase
class DomainTypesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS domained CASCADE;
                DROP SCHEMA IF EXISTS "Odd d" CASCADE;
                CREATE SCHEMA "Odd d";
                CREATE TYPE "Odd d"."Mood." AS ENUM ('sad', 'ok');
                CREATE DOMAIN "Odd d"."mood" AS "Odd d"."Mood.";
                CREATE DOMAIN "Odd d"."mood again" AS "Odd d"."mood";
                CREATE DOMAIN "Odd d"."word" AS varchar(9) COLLATE "C";
                CREATE DOMAIN "Odd d"."fixed" AS char(4);
                CREATE DOMAIN "Odd d"."day" AS date;
                CREATE DOMAIN "Odd d"."moment" AS timestamptz(3);
                CREATE DOMAIN "Odd d"."flag" AS boolean;
                CREATE DOMAIN "Odd d"."uid" AS uuid;
                CREATE DOMAIN "Odd d"."real" AS real;
                CREATE DOMAIN "Odd d"."named" AS name;
                CREATE TABLE domained (id bigint PRIMARY KEY, mood "Odd d"."mood", mood_again "Odd d"."mood again", word "Odd d"."word",
                  fixed "Odd d"."fixed", day "Odd d"."day", moment "Odd d"."moment", flag "Odd d"."flag", uid "Odd d"."uid", real_d "Odd d"."real", named "Odd d"."named");
                INSERT INTO domained SELECT i, (ARRAY['sad', 'ok', NULL]::"Odd d"."Mood."[])[1 + i % 3], (ARRAY['sad', 'ok', NULL]::"Odd d"."Mood."[])[1 + i % 3],
                  (ARRAY['a', 'B', NULL])[1 + i % 3], (ARRAY['a', 'B', NULL])[1 + i % 3], '2026-01-01'::date + i % 3, '2026-01-01'::timestamptz + i % 3 * interval '1 ms',
                  (ARRAY[true, false, NULL])[1 + i % 3], (ARRAY['00000000-0000-0000-0000-000000000001', NULL]::uuid[])[1 + i % 2],
                  (ARRAY[0.1, 'NaN', NULL]::real[])[1 + i % 3], (ARRAY['a', 'B', NULL])[1 + i % 3]
                FROM generate_series(1, 20) i;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mood", "mood_again", "word", "fixed", "day", "moment", "flag", "uid", "real_d", "named"})
    void aKeyCanHaveADomainType(String column) {
        for (String order : List.of(column, column + " desc nulls last", column + " nulls first, id desc")) {
            Walk walk = new Walk(
                    DATABASE.reader(), DATABASE.feed("table", "domained", "columns", "id", "orders.o", order), 2);
            assertThat(walk.forward()).as(order).hasSize(20).doesNotHaveDuplicates();
            assertThat(walk.backward()).as(order).hasSize(20).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mood", "mood_again", "word", "fixed", "day", "moment", "flag", "uid", "real_d", "named"})
    void anItemIsFoundByAKeyOfADomainType(String column) {
        DATABASE.run("CREATE OR REPLACE VIEW one_domained AS SELECT * FROM domained WHERE id = 6");
        Feed feed = DATABASE.feed("table", "one_domained", "key", column, "orders.o", column);
        String key = DATABASE.rows("SELECT " + column + "::text FROM one_domained")
                .get(0)
                .getString(0);
        assertThat(DATABASE.reader()
                        .locate(new Walk(DATABASE.reader(), feed, 2).state(), List.of(key), Optional.empty())
                        .await()
                        .atMost(Duration.ofSeconds(9)))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "mood, sad, ok",
        "mood_again, sad, ok",
        "word, a, B",
        "fixed, a, B",
        "day, 2026-01-01, 2026-01-02",
        "flag, true, false",
        "real_d, 0.1, NaN",
        "named, a, B"
    })
    void aFilterCanHaveADomainType(String column, String one, String other) {
        DATABASE.run("DROP INDEX IF EXISTS domained_ix");
        for (int i = 0; i < 2; i++) {
            Feed feed = DATABASE.feed(
                    "table", "domained", "columns", "id", "orders.o", "id", "filters." + column, "equals");
            var c = feed.filters().get(column).column();
            int expected = DATABASE.rows(
                            "SELECT id FROM domained WHERE " + column + "::text IN ('" + one + "', '" + other + "')")
                    .size();
            assertThat(new Walk(DATABASE.reader(), feed, 2, new Condition.AnyOf(c, List.of(one, other))).forward())
                    .hasSize(expected);
            DATABASE.run("CREATE INDEX IF NOT EXISTS domained_ix ON domained (" + column + ", id)");
        }
    }
}
