package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of some embedded tables have a counter that was updated eight times each. */
@UsesTestDatabase
class EmbedUpdatesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS comments, counting_people, split_people, calm_people CASCADE;
                CREATE TABLE comments (id int PRIMARY KEY, author int NOT NULL);
                CREATE TABLE counting_people (id int PRIMARY KEY, name text, comments int DEFAULT 0);
                CREATE TABLE split_people (id int PRIMARY KEY, name text, comments int DEFAULT 0) PARTITION BY RANGE (id);
                CREATE TABLE split_people_1 PARTITION OF split_people FOR VALUES FROM (1) TO (100);
                CREATE TABLE split_people_2 PARTITION OF split_people DEFAULT;
                CREATE TABLE calm_people (id int PRIMARY KEY, name text, comments int DEFAULT 0);
                """);
        for (String table : List.of("counting_people", "split_people", "calm_people")) {
            DATABASE.run("INSERT INTO " + table + " SELECT i, 'name' FROM generate_series(1, 200) i");
            for (int update = 0; update < (table.equals("calm_people") ? 4 : 8); update++) {
                DATABASE.run("UPDATE " + table + " SET comments = comments + 1");
            }
        }
        // A session reports its statistics at most once a second.
        Await.until("the updates are counted", () -> {
            DATABASE.run("SELECT pg_stat_force_next_flush()");
            return updates("counting_people") == 1600
                    && updates("split_people_2") == 808
                    && updates("calm_people") == 800;
        });
    }

    private static long updates(String table) {
        return DATABASE.rows("SELECT n_tup_upd FROM pg_stat_all_tables WHERE relname = '" + table + "'")
                .get(0)
                .getLong(0);
    }

    private static List<String> warnings(String table, boolean delta) {
        return DATABASE.catalogue()
                .findUpdatedEmbeds(List.of(DATABASE.feed(
                        "table",
                        "comments",
                        "orders.o",
                        "id",
                        "delta",
                        Boolean.toString(delta),
                        "embed.writer.table",
                        table,
                        "embed.writer.on.id",
                        "author",
                        "embed.writer.columns",
                        "name")))
                .await()
                .atMost(Duration.ofSeconds(30))
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"counting_people", "split_people"})
    void aWarningSaysHowOftenTheRowsWereUpdated(String table) {
        assertThat(warnings(table, true))
                .containsExactly("embed.writer: the rows of public." + table
                        + " were updated 8 times each on average. With delta, each update sends all items that show the row,"
                        + " whatever column it changed. Keep counters in a table of their own");
    }

    @Test
    void thereIsNoWarningForFewUpdates() {
        assertThat(warnings("calm_people", true)).isEmpty();
    }

    @Test
    void thereIsNoWarningWithoutDelta() {
        assertThat(warnings("counting_people", false)).isEmpty();
    }
}
