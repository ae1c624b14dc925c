package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.local.TestPostgres;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Items with embedded rows. The posts 1 to 9 are ordered newest first. Post 7 has no author; a foreign key guarantees
 * the other authors. Post 3 has no reviewer, and the reviewers of posts 6 and 9 do not exist.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class EmbedTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(9);

    @Inject
    Pool pool;

    @Inject
    @ReactiveDataSource("inbox")
    Pool writer;

    @BeforeEach
    void fillTables() {
        run("TRUNCATE people, posts");
        run("INSERT INTO people SELECT i, 'Person ' || i, CASE WHEN i < 3 THEN 'very happy'::mood END"
                + " FROM generate_series(1, 5) i");
        run("INSERT INTO posts SELECT i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute', 'post',"
                + " CASE WHEN i <> 7 THEN 1 + i % 4 END,"
                + " CASE WHEN i IN (6, 9) THEN 99 WHEN i <> 3 THEN 5 END, 1 + i % 4 FROM generate_series(1, 9) i");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
    }

    @Test
    void anEmbeddedRowIsAnObjectOrNullIfThereIsNoSuchRow() {
        assertThat(get("/api/posts?limit=3&fields=id,author,reviewer").asString())
                .startsWith("{\"items\":["
                        + "{\"id\":\"9\",\"author\":{\"name\":\"Person 2\",\"mood\":\"very happy\"},\"reviewer\":null},"
                        + "{\"id\":\"8\",\"author\":{\"name\":\"Person 1\",\"mood\":\"very happy\"},\"reviewer\":{\"name\":\"Person 5\"}},"
                        + "{\"id\":\"7\",\"author\":null,\"reviewer\":{\"name\":\"Person 5\"}}],");
    }

    @Test
    void theMembersOfAnItemAreItsColumnsAndThenItsEmbedsByName() {
        assertThat(Pages.read("/api/posts").getMap("items[0]").keySet())
                .containsExactly("id", "at", "title", "author", "reviewer");
    }

    @Test
    void fieldsTakesTheNameOfAnEmbedAndNoneOfItsColumns() {
        assertThat(Pages.read("/api/posts?limit=1&fields=author,title").getMap("items[0]"))
                .isEqualTo(Map.of("author", Map.of("name", "Person 2", "mood", "very happy"), "title", "post"));
        assertThat(Pages.read("/api/posts?fields=id").getMap("items[0]")).isEqualTo(Map.of("id", "9"));
        for (String unknown : List.of("name", "author.name", "author_id", "author,author")) {
            JsonDocument problem = JsonDocument.of(get("/api/posts?fields=" + unknown));
            assertThat(problem.getString("code")).as(unknown).isEqualTo("invalid_fields");
        }
        assertThat(JsonDocument.of(get("/api/posts?fields=none")).getString("detail"))
                .contains("id,at,title,author,reviewer");
    }

    @Test
    void anEmbedNeitherFiltersNorOrders() {
        assertThat(JsonDocument.of(get("/api/posts?author=1")).getString("code"))
                .isEqualTo("unknown_parameter");
        assertThat(JsonDocument.of(get("/api/posts?order=author")).getString("code"))
                .isEqualTo("unknown_order");
    }

    @Test
    void valuesOfEveryTypeHaveTheFormsOfTheFeedsOwnColumns() {
        List<Object> embedded = Pages.read("/api/exhibits?limit=4").getList("items.specimen");
        List<Object> own = Pages.read("/api/specimens").getList("items");
        assertThat(embedded).hasSize(4).containsExactlyInAnyOrderElementsOf(own);
        String raw = get("/api/exhibits?limit=4&fields=specimen").asString();
        for (int id = 1; id <= 4; id++) {
            String page = get("/api/specimens?limit=1&from_id=" + id).asString();
            String item = page.substring("{\"items\":[".length(), page.indexOf("],\"next_cursor\""));
            assertThat(raw).contains("{\"specimen\":" + item + "}");
        }
    }

    @Test
    void everyKindOfRequestReturnsTheSameItems() {
        List<Object> all = Pages.read("/api/posts").getList("items");
        assertThat(all).hasSize(9);
        for (int limit : List.of(1, 2, 5)) {
            JsonDocument page = Pages.read("/api/posts?limit=" + limit);
            List<Object> forward = new ArrayList<>(page.getList("items"));
            while (page.getBoolean("has_more")) {
                page = Pages.read("/api/posts?limit=" + limit + "&cursor=" + page.getString("next_cursor"));
                forward.addAll(page.getList("items"));
            }
            assertThat(forward).as("forward by %s", limit).isEqualTo(all);
            List<Object> backward = new ArrayList<>(page.getList("items"));
            while (page.getBoolean("has_prev")) {
                page = Pages.read("/api/posts?limit=" + limit + "&cursor=" + page.getString("prev_cursor"));
                backward.addAll(0, page.getList("items"));
            }
            assertThat(backward).as("backward by %s", limit).isEqualTo(all);
        }
        String fourth = Pages.read("/api/posts?limit=4").getString("cursors.last");
        assertThat(Pages.read("/api/posts?until=" + fourth).getList("items")).isEqualTo(all.subList(0, 4));
        assertThat(Pages.read("/api/posts?limit=4&around_id=5").getList("items"))
                .isEqualTo(all.subList(2, 6));
        assertThat(Pages.read("/api/posts?from=2026-01-01T00:03:30Z").getList("items"))
                .isEqualTo(all.subList(6, 9));
        assertThat(Pages.read("/api/posts?order=title").getList("items")).containsExactlyInAnyOrderElementsOf(all);
        assertThat(Pages.read("/api/posts?title=post&title=other").getList("items"))
                .isEqualTo(all);
        assertThat(Pages.read("/v3/posts?limit=9").getList("result.rows")).isEqualTo(all);
        JsonDocument second = Pages.read("/v3/posts-by-offset?limit=3&after=2");
        assertThat(second.getList("result.rows")).isEqualTo(all.subList(2, 5));
        assertThat(Pages.read("/v3/posts-by-offset?limit=2&before=5").getList("result.rows"))
                .isEqualTo(all.subList(2, 4));
        List<Object> exported = new ArrayList<>();
        given().accept("application/x-ndjson")
                .when()
                .get("/api/posts")
                .asString()
                .lines()
                .map(JsonDocument::of)
                .filter(line -> line.getMap("").containsKey("item"))
                .forEach(line -> exported.add(line.getMap("item")));
        assertThat(exported).isEqualTo(all);
    }

    @Test
    void theEntityTagChangesWithAnEmbeddedRow() {
        for (String target : List.of("/api/posts?limit=2", "/v3/posts?limit=2", "/v3/posts-by-offset?limit=2")) {
            String before = get(target).header("ETag");
            assertThat(head(target).header("ETag")).isEqualTo(before);
            assertThat(get(target).header("ETag")).isEqualTo(before);
            run("UPDATE people SET name = name || '!' WHERE id = 1");
            Response after = given().header("If-None-Match", before).get(target);
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(after.header("ETag")).isNotEqualTo(before);
        }
    }

    @Test
    void theListOfFeedsHasTheEmbedsWithTheirColumns() {
        assertThat(Pages.read("/api").getList("feeds[name=posts].embeds"))
                .isEqualTo(List.of(
                        Map.of(
                                "name",
                                "author",
                                "columns",
                                List.of(
                                        Map.of("name", "name", "type", "text", "nullable", false),
                                        Map.of("name", "mood", "type", "mood", "nullable", true))),
                        Map.of(
                                "name",
                                "reviewer",
                                "columns",
                                List.of(Map.of("name", "name", "type", "text", "nullable", false)))));
        assertThat(Pages.read("/api").getMap("feeds[name=letters]")).doesNotContainKey("embeds");
    }

    @Test
    void anItemCountsAsWrittenIfItsEmbeddedRowWasWritten() {
        String moment = moment("/api/posts");
        run("UPDATE people SET name = 'New name' WHERE id = 2");
        JsonDocument page = Pages.read("/api/posts?since=" + moment);
        assertThat(page.getList("keys")).hasSize(9);
        assertThat(page.getList("items.id")).containsExactly("9", "6", "5", "1");
        assertThat(page.getString("items[0].author.name")).isEqualTo("New name");
        assertThat(page.getList("items")).isSubsetOf(Pages.read("/api/posts").getList("items"));
    }

    /** Posts 6 and 9 have no reviewer, and the deleted row of a reviewer would leave no trace. */
    @Test
    void anItemWithoutARowThatNoForeignKeyGuaranteesIsAlwaysSent() {
        String moment = moment("/api/posts");
        assertThat(Pages.read("/api/posts?since=" + moment).getList("items.id")).containsExactly("9", "6");
        run("DELETE FROM people WHERE id = 5");
        JsonDocument page = Pages.read("/api/posts?since=" + moment);
        assertThat(page.getList("items.id")).containsExactly("9", "8", "7", "6", "5", "4", "2", "1");
        assertThat(page.getList("items.reviewer")).containsOnlyNulls();
        run("INSERT INTO people VALUES (5, 'Person 5', NULL)");
        String later = moment("/api/posts");
        run("UPDATE people SET id = 99 WHERE id = 5");
        assertThat(Pages.read("/api/posts?since=" + later).getList("items.id"))
                .containsExactly("9", "8", "7", "6", "5", "4", "2", "1");
    }

    @Test
    void anItemWithoutARowIsSentOnceTheForeignKeyIsGone() {
        String moment = moment("/api/posts");
        run("ALTER TABLE posts DROP CONSTRAINT posts_author_id_fkey");
        try {
            run("DELETE FROM people WHERE id = 3");
            assertThat(Pages.read("/api/posts?since=" + moment).getList("items.id"))
                    .containsExactly("9", "6", "2");
        } finally {
            run("INSERT INTO people VALUES (3, 'Person 3', NULL)");
            run("ALTER TABLE posts ADD FOREIGN KEY (author_id) REFERENCES people");
        }
    }

    @Test
    void anEmbeddedRowThatIsCommittedLateIsSentSinceAMomentBeforeItsCommit() {
        SqlConnection late = pool.getConnection().await().atMost(TIMEOUT);
        try {
            run(late, "SET default_transaction_read_only = off");
            run(late, "BEGIN READ WRITE");
            run(late, "SAVEPOINT a");
            run(late, "UPDATE people SET name = 'Late' WHERE id = 3");
            run(late, "RELEASE a");
            run("UPDATE people SET name = 'Soon' WHERE id = 1");
            String moment = moment("/api/posts");
            run(late, "COMMIT");

            JsonDocument page = Pages.read("/api/posts?since=" + moment + "&fields=id,author");

            assertThat(page.getList("items.id")).contains("6", "2");
            assertThat(page.getList("items.author.name")).contains("Late");
        } finally {
            run(late, "RESET default_transaction_read_only");
            late.close().await().atMost(TIMEOUT);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE people RENAME TO people_before; ALTER TABLE people_before RENAME TO people",
                "ALTER TABLE people ADD COLUMN extra int DEFAULT 7; ALTER TABLE people DROP COLUMN extra",
                "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'; ALTER TYPE mood RENAME VALUE 'blue' TO 'sad'"
            })
    void allItemsCountAsWrittenAfterAChangeToTheTableOfAnEmbed(String change) {
        String moment = moment("/api/posts");
        run(change);
        assertThat(Pages.read("/api/posts?since=" + moment).getList("items")).hasSize(9);
    }

    @Test
    void anItemThatWasNotWrittenIsSentWithoutItsEmbeddedRow() {
        String moment = moment("/api/posts");
        run("UPDATE posts SET title = 'new' WHERE id = 4");
        assertThat(Pages.read("/api/posts?since=" + moment).getList("items.id")).containsExactly("9", "6", "4");
        assertThat(Pages.read("/api/posts?fields=reviewer&since=" + moment).getList("items.reviewer"))
                .containsExactly(null, null, Map.of("name", "Person 5"));
    }

    private static String moment(String target) {
        return Pages.read(target).getString("moment");
    }

    private void run(String sql) {
        writer.query(sql).execute().await().atMost(TIMEOUT);
    }

    private static void run(SqlConnection connection, String sql) {
        connection.query(sql).execute().await().atMost(TIMEOUT);
    }
}
