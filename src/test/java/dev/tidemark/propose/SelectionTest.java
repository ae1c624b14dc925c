package dev.tidemark.propose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionTest {

    private static final List<String> READABLE = List.of(
            "\"Music\".\"Artist\"",
            "\"odd.schema\".\"a.b\"",
            "forum.post",
            "forum.post_like",
            "public.flyway_schema_history",
            "public.person",
            "public.post",
            "public.schema_migrations");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            forum.*            |                | forum.post, forum.post_like
            post*              |                | forum.post, forum.post_like, public.post
            p?st               |                | forum.post, public.post
            PUBLIC.P*          |                | public.person, public.post
            *.artist*          |                |
            "Music".*          |                | "Music"."Artist"
            music.*            |                |
            Music.Artist       | Music          | "Music"."Artist"
            "Artist"           | Music          | "Music"."Artist"
            "odd.schema".*     |                | "odd.schema"."a.b"
            post               | forum          | forum.post
            post, person       | forum, public  | forum.post, public.post, public.person
            post, POST, p*     | public         | public.post, public.person
                               | f*             | forum.post, forum.post_like
                               | public         | public.person, public.post
            post, public.post  |                | post, public.post
            *migrations        | public         |
            schema_migrations  | public         | public.schema_migrations
            """)
    void namesAndPatternsChooseReadableRelations(String names, String schemas, String expected) {
        Selection selection = new Selection(split(names), split(schemas));
        if (expected == null) {
            assertThatThrownBy(() -> selection.choose(READABLE)).isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(selection.choose(READABLE)).containsExactlyElementsOf(split(expected));
        }
    }

    private static List<String> split(String list) {
        return list == null ? List.of() : Selection.split(list);
    }

    @Test
    void withoutNamesAllButTheTablesOfMigrationToolsAreChosen() {
        assertThat(Selection.all().choose(READABLE))
                .containsExactly(
                        "\"Music\".\"Artist\"",
                        "\"odd.schema\".\"a.b\"",
                        "forum.post",
                        "forum.post_like",
                        "public.person",
                        "public.post");
    }

    @Test
    void anUnknownNameIsRejectedWithTheNearest() {
        assertThatThrownBy(() -> new Selection(List.of(), List.of("fourm")).choose(READABLE))
                .hasMessage("There is no schema fourm with a table or view that the database role may read; the nearest"
                        + " name is forum.");
        assertThatThrownBy(() -> new Selection(List.of("psot"), List.of("forum")).choose(READABLE))
                .hasMessage(
                        "There is no table or view psot in schema forum that the database role may read; the nearest"
                                + " name is post.");
        assertThatThrownBy(() -> Selection.of(List.of("q*")).choose(READABLE))
                .hasMessage("No table or view that the database role may read matches q*.");
    }

    @Test
    void aCommaInQuotesDoesNotSeparateNames() {
        assertThat(Selection.split("a, \"b,c\".d,,e")).containsExactly("a", "\"b,c\".d", "e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flyway_schema_history",
                "schema_migrations",
                "__diesel_schema_migrations",
                "databasechangelog",
                "DATABASECHANGELOGLOCK",
                "alembic_version",
                "django_migrations",
                "ar_internal_metadata",
                "knex_migrations",
                "knex_migrations_lock",
                "goose_db_version",
                "_prisma_migrations",
                "_sqlx_migrations",
                "__EFMigrationsHistory",
                "SequelizeMeta",
                "migrations"
            })
    void theTablesOfMigrationToolsAreRecognized(String name) {
        assertThat(MigrationTables.isOne(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bird_migrations", "versions", "history", "changelog", "post"})
    void otherTablesAreNotTakenForThoseOfMigrationTools(String name) {
        assertThat(MigrationTables.isOne(name)).isFalse();
    }
}
