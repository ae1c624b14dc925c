package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.Walk;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A type counts as an array only if its text form is that of an array with commas as delimiters. */
@UsesTestDatabase
class CatalogueTypesTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS typed;
                DROP DOMAIN IF EXISTS typed_list, typed_text_list, typed_mood, typed_grid CASCADE;
                DROP SCHEMA IF EXISTS "Odd s" CASCADE;
                CREATE SCHEMA "Odd s";
                CREATE TYPE "Odd s"."Mood." AS ENUM ('sad', 'ok');
                CREATE DOMAIN typed_list AS int[];
                CREATE DOMAIN typed_mood AS "Odd s"."Mood.";
                CREATE DOMAIN typed_grid AS int[][];
                CREATE TABLE typed (id bigint PRIMARY KEY, vector int2vector, lists typed_list[], list typed_list, boxes box[],
                  mood typed_mood, moods "Odd s"."Mood."[], dropped int, letter "char",
                  grid text[][], grids typed_grid);
                ALTER TABLE typed DROP COLUMN dropped;
                INSERT INTO typed VALUES (1, '1 2 3', '{"{1,2}","{3}"}', '{1}', ARRAY['((1,1),(0,0))'::box, '((2,2),(1,1))'], 'ok', '{sad,ok}', 'x');
                """);
    }

    private static ColumnType type(String column) {
        Feed feed = DATABASE.feed("table", "typed", "orders.o", "id");
        return feed.columns().stream()
                .filter(c -> c.name().equals(column))
                .findFirst()
                .orElseThrow()
                .type();
    }

    @Test
    void int2vectorIsNotAnArray() {
        assertThat(type("vector")).isEqualTo(Scalar.OTHER);
    }

    @Test
    void anArrayOfADomainOverAnArrayHoldsTexts() {
        assertThat(type("lists")).isNotEqualTo(new ArrayType(Scalar.INTEGER, 1));
    }

    @Test
    void anArrayHasItsDeclaredDimensions() {
        assertThat(type("list")).isEqualTo(new ArrayType(Scalar.INTEGER, 1));
        assertThat(type("grid")).isEqualTo(new ArrayType(Scalar.TEXT, 2));
        assertThat(type("grids")).isEqualTo(new ArrayType(Scalar.INTEGER, 2));
    }

    @Test
    void aKeyCanBeADomainOverAnEnumOfAnotherSchema() {
        assertThat(new Walk(DATABASE.reader(), DATABASE.feed("table", "typed", "orders.o", "mood desc"), 1).forward())
                .containsExactly("1");
    }
}
