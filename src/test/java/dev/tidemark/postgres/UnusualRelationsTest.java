package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.Soak;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.local.TestPostgres;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitioned tables, unusual names, and relations whose rows violate what their catalogue entries promise. */
@UsesTestDatabase
class UnusualRelationsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeView() {
        DATABASE.run("""
                DROP VIEW IF EXISTS scored;
                DROP TABLE IF EXISTS scores, scorers;
                DROP DOMAIN IF EXISTS score_t;
                CREATE DOMAIN score_t AS int NOT NULL;
                CREATE TABLE scorers (id bigint PRIMARY KEY);
                CREATE TABLE scores (id bigint PRIMARY KEY, score score_t);
                INSERT INTO scorers SELECT i FROM generate_series(1, 20) i;
                INSERT INTO scores SELECT i, i % 3 FROM generate_series(1, 20, 2) i;
                CREATE VIEW scored AS SELECT r.id, s.score FROM scorers r LEFT JOIN scores s USING (id);
                """);
    }

    private static void assertAllOnce(Feed feed, int rows) {
        List<String> all =
                LongStream.rangeClosed(1, rows).mapToObj(Long::toString).toList();
        for (int size : Soak.pageSizes(feed.name())) {
            Walk walk = new Walk(DATABASE.reader(), feed, size);
            assertThat(walk.forward()).as("forward by %d", size).containsExactlyInAnyOrderElementsOf(all);
            assertThat(walk.backward()).as("back by %d", size).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"score", "score desc", "score nulls first", "score desc nulls last"})
    void aNotNullDomainCanBeNullInAnOuterJoin(String order) {
        assertAllOnce(DATABASE.feed("table", "scored", "key", "id", "columns", "id", "orders.o", order), 20);
    }

    @Test
    void theKeyOfAnInheritanceParentDoesNotCoverItsChildren() {
        DATABASE.run("""
                DROP TABLE IF EXISTS parent CASCADE;
                CREATE TABLE parent (id bigint PRIMARY KEY, n bigint NOT NULL);
                CREATE TABLE child () INHERITS (parent);
                INSERT INTO parent SELECT 1 + i % 3, i FROM generate_series(1, 3) i;
                INSERT INTO child SELECT 1 + i % 3, i FROM generate_series(4, 20) i;
                """);
        // Either startup rejects such a key, or no row is lost.
        Feed feed;
        try {
            feed = DATABASE.feed("table", "parent", "columns", "n", "orders.o", "id");
        } catch (RuntimeException rejected) {
            assertThat(rejected).hasMessageContaining("key");
            return;
        }
        assertAllOnce(feed, 20);
    }

    @Test
    void aColumnOfAnInheritanceChildCanBeNullEvenIfTheParentForbidsIt() {
        DATABASE.run("""
                DROP TABLE IF EXISTS strict CASCADE;
                CREATE TABLE strict (id bigint PRIMARY KEY, n int %s);
                CREATE TABLE lenient () INHERITS (strict);
                ALTER TABLE lenient ALTER COLUMN n DROP NOT NULL;
                INSERT INTO lenient SELECT i, nullif(i %% 3, 0) FROM generate_series(1, 20) i;
                """.formatted(TestPostgres.majorVersion() < 18 ? "NOT NULL" : "NOT NULL NO INHERIT"));
        // Either startup rejects such a table, or no row is lost.
        Feed feed;
        try {
            feed = DATABASE.feed("table", "strict", "columns", "id", "orders.o", "n");
        } catch (RuntimeException rejected) {
            return;
        }
        assertAllOnce(feed, 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "made",
                "made desc",
                "made desc, rank",
                "made, edited desc nulls last",
                "edited nulls first",
                "edited desc nulls last, made",
                "rank, made desc",
                "word, made"
            })
    void eachRowOfAPartitionedTableIsReadOnce(String order) {
        DATABASE.run("""
                DROP TABLE IF EXISTS split CASCADE;
                CREATE TABLE split (id bigint, made timestamptz, rank int NOT NULL, word text NOT NULL, edited date,
                  PRIMARY KEY (id, made, word)) PARTITION BY RANGE (made);
                CREATE TABLE split_1 PARTITION OF split FOR VALUES FROM (MINVALUE) TO ('2026-01-02');
                CREATE TABLE split_2 PARTITION OF split FOR VALUES FROM ('2026-01-02') TO ('2026-01-04') PARTITION BY LIST (word);
                CREATE TABLE split_2a PARTITION OF split_2 FOR VALUES IN ('a', 'c');
                CREATE TABLE split_2b PARTITION OF split_2 DEFAULT;
                CREATE TABLE split_3 PARTITION OF split DEFAULT PARTITION BY HASH (id);
                CREATE TABLE split_3a PARTITION OF split_3 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
                CREATE TABLE split_3b PARTITION OF split_3 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
                INSERT INTO split SELECT i, '2026-01-01'::timestamptz + i / 6 * interval '12 hours', i % 3,
                  (ARRAY['a', 'b', 'c', 'd'])[1 + i % 4], CASE WHEN i % 2 = 0 THEN '2026-01-01'::date + i % 5 END
                FROM generate_series(1, 60) i;
                CREATE INDEX ON split (made, id, word);
                CREATE INDEX ON split (rank, made DESC, id DESC, word DESC);
                CREATE VIEW split_view AS SELECT * FROM split;
                """);
        assertAllOnce(DATABASE.feed("table", "split", "columns", "id", "orders.o", order), 60);
        assertAllOnce(
                DATABASE.feed("table", "split_view", "key", "id, made, word", "columns", "id", "orders.o", order), 60);
    }

    @Test
    void aViewOfAPartitionedTableCountsAsPartitioned() {
        DATABASE.run("""
                DROP TABLE IF EXISTS split_in CASCADE;
                CREATE TABLE split_in (id bigint PRIMARY KEY) PARTITION BY RANGE (id);
                CREATE VIEW split_in_view AS SELECT id + 0 AS id FROM (SELECT * FROM split_in) parts;
                CREATE VIEW split_in_view2 AS SELECT * FROM split_in_view UNION ALL SELECT 1::bigint;
                """);
        for (String table : List.of("split_in", "split_in_view", "split_in_view2")) {
            Feed feed = DATABASE.feed("table", table, "key", "id", "orders.o", "id");
            assertThat(feed.relation().storage().partitioned()).as(table).isTrue();
        }
    }

    @Test
    void citextOutsideTheSearchPathIsRejectedAsAKey() {
        DATABASE.run("""
                DROP EXTENSION IF EXISTS citext CASCADE;
                CREATE SCHEMA IF NOT EXISTS elsewhere;
                CREATE EXTENSION citext SCHEMA elsewhere;
                DROP TABLE IF EXISTS named;
                CREATE TABLE named (id bigint PRIMARY KEY, n int NOT NULL, name elsewhere.citext NOT NULL);
                INSERT INTO named SELECT i, i % 2, (ARRAY['a', 'B', 'c', 'D', 'A', 'b', 'C', 'd'])[1 + i % 8] FROM generate_series(1, 40) i;
                """);
        try {
            assertThatThrownBy(() -> DATABASE.feed("table", "named", "columns", "id", "orders.o", "name"))
                    .hasMessageContaining("column 'name' of type elsewhere.citext cannot be a sort key");
        } finally {
            DATABASE.run("DROP EXTENSION citext CASCADE");
        }
    }

    @Test
    void aUniqueIndexCanNameAColumnTwice() {
        DATABASE.run("""
                DROP TABLE IF EXISTS doubled;
                CREATE TABLE doubled (id bigint PRIMARY KEY, word text NOT NULL);
                CREATE UNIQUE INDEX ON doubled (word, word text_pattern_ops);
                INSERT INTO doubled SELECT i, i::text FROM generate_series(1, 10) i;
                """);
        assertAllOnce(DATABASE.feed("table", "doubled", "columns", "id", "orders.o", "word"), 10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "near",
                "far",
                "page",
                "merged",
                "awkward",
                "Odd \"one\"",
                "a.b",
                "select",
                "ünï",
                "$1",
                "?",
                "x'y",
                "%s",
                "we\"\"ird\"; drop table awkward; --",
                "line\nbreak\ttab",
                "世界 \uD83D\uDE00",
                "/* \\ */",
                "a-name-of-sixty-three-bytes-which-is-the-longest-that-there-isx"
            })
    void aColumnCanHaveAnyName(String name) {
        DATABASE.run("DROP TABLE IF EXISTS awkward; \nCREATE TABLE awkward (id bigint PRIMARY KEY, made int NOT NULL, "
                + SqlQuoting.quoteIdentifier(name)
                + " int)");
        DATABASE.run("INSERT INTO awkward SELECT i, i % 3, nullif(i % 4, 0) FROM generate_series(1, 20) i");
        DATABASE.run("CREATE INDEX ON awkward (" + SqlQuoting.quoteIdentifier(name) + ", id)");
        String quoted = '"' + name.replace("\"", "\"\"") + '"';
        assertAllOnce(DATABASE.feed("table", "awkward", "orders.o", quoted + " desc nulls last, made"), 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "page",
                "merged",
                "far",
                "near",
                "Odd \"one\"",
                "a.b",
                "select",
                "ünï",
                "$1",
                "we\"\"ird\"; drop table plain; --",
                "line\nbreak",
                "世界 \uD83D\uDE00",
                "/* \\ */",
                "a-name-of-sixty-three-bytes-which-is-the-longest-that-there-isx"
            })
    void aTableCanHaveAnyName(String name) {
        String quoted = SqlQuoting.quoteIdentifier(name);
        DATABASE.run("CREATE SCHEMA IF NOT EXISTS \"S.\"\"x\"\n;\nDROP TABLE IF EXISTS \"S.\"\"x\"." + quoted);
        DATABASE.run("CREATE TABLE \"S.\"\"x\"." + quoted + " (id bigint PRIMARY KEY, " + quoted + " int)");
        DATABASE.run("INSERT INTO \"S.\"\"x\"." + quoted + " SELECT i, nullif(i % 4, 0) FROM generate_series(1, 20) i");
        assertAllOnce(
                DATABASE.feed(
                        "table",
                        "\"S.\"\"x\"." + quoted,
                        "columns",
                        "id",
                        "orders.o",
                        quoted + " desc",
                        "visible",
                        quoted + " > 0 OR true"),
                20);
    }
}
