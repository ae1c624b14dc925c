package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.Await;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.paging.Moment;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages of feeds with delta. The cards 1 to 9 are ordered newest first; a page has at most 5, or 12 with
 * {@code since}.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class DeltaTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(9);

    @Inject
    MomentSealer moments;

    @Inject
    Feeds feeds;

    @Inject
    Pool pool;

    @Inject
    @ReactiveDataSource("inbox")
    Pool writer;

    @BeforeEach
    void fillTables() {
        run("TRUNCATE cards");
        run(
                "INSERT INTO cards SELECT i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute', NULL, 'card', repeat('x', i)"
                        + " FROM generate_series(1, 9) i");
        run("TRUNCATE legs");
        run("INSERT INTO legs SELECT '2025-12-30'::date + i, i, i || ' km' FROM generate_series(0, 3) i");
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
    }

    @Test
    void everyPageEvenAnEmptyOneHasAMoment() {
        assertThat(Pages.read("/api/cards").getMap("").keySet())
                .containsExactly(
                        "items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "moment");
        assertThat(Pages.read("/api/cards?title=none").getString("moment")).isNotEmpty();
        assertThat(Pages.read("/api/cards?count=exact&around_id=4").getString("moment"))
                .isNotEmpty();
        assertThat(Pages.read("/api/letters").getMap("")).doesNotContainKey("moment");
    }

    @Test
    void aPageSinceAMomentHasAllKeysAndOnlyTheItemsWrittenSince() {
        String moment = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id IN (3, 8)");
        run("DELETE FROM cards WHERE id = 5");

        when().get("/api/cards?limit=12&since=" + moment)
                .then()
                .statusCode(200)
                .body("keys", contains("9", "8", "7", "6", "4", "3", "2", "1"))
                .body("items.id", contains("8", "3"))
                .body("items.body", contains("new", "new"))
                .body("limit", is(12));
    }

    /** After a crash, a restore, or with another database, nothing tells which rows were written since. */
    @Test
    void sinceAMomentOfAnotherRunOfTheServerOrOfTheFutureAllItemsAreSent() {
        Moment moment = moments.open(cards(), moment("/api/cards")).orElseThrow();
        assertThat(idsSince(moment)).isEmpty();
        assertThat(idsSince(new Moment(moment.serverRun() + '0', moment.horizon())))
                .hasSize(9);
        assertThat(idsSince(new Moment(moment.serverRun(), moment.horizon() + 1_000_000)))
                .hasSize(9);
    }

    private Feed cards() {
        return feeds.find("cards").orElseThrow();
    }

    private List<Object> idsSince(Moment moment) {
        return Pages.read("/api/cards?limit=12&since=" + moments.seal(cards(), moment))
                .getList("items.id");
    }

    @Test
    void sinceDoesNotChangeTheOrderFlagsCursorsOrCountOfAPage() {
        String moment = moment("/api/cards");
        JsonDocument second = Pages.read(
                "/api/cards?limit=3&cursor=" + Pages.read("/api/cards?limit=3").getString("next_cursor"));
        for (String place : List.of(
                "",
                "&order=title",
                "&order=edited",
                "&cursor=" + second.getString("next_cursor"),
                "&cursor=" + second.getString("prev_cursor"),
                "&cursor=" + second.getString("cursors.last"),
                "&until=" + second.getString("cursors.top"),
                "&from=2026-01-01T00:04:30Z",
                "&around=2026-01-01T00:04:30Z",
                "&from_id=4",
                "&around_id=4",
                "&title=card",
                "&from=2000-01-01T00:00:00Z")) {
            JsonDocument plain = Pages.read("/api/cards?limit=4&count=exact" + place);
            JsonDocument since = Pages.read("/api/cards?limit=4&count=exact&since=" + moment + place);
            assertThat(since.getList("keys")).as(place).isEqualTo(plain.getList("items.id"));
            assertThat(since.getList("items")).as(place).isEmpty();
            for (String member :
                    List.of("next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "count")) {
                assertThat(since.getString(member)).as(place + ' ' + member).isEqualTo(plain.getString(member));
            }
        }
    }

    @Test
    void itemsWrittenSinceAMomentHaveExactlyTheRequestedFields() {
        String moment = moment("/api/cards");
        run("UPDATE cards SET title = 'new' WHERE id = 9");
        JsonDocument page = Pages.read("/api/cards?fields=title&since=" + moment);
        assertThat(page.getList("keys")).containsExactly("9", "8", "7");
        assertThat(page.getList("items").toString()).isEqualTo("[{title=new}]");
    }

    @Test
    void aRowThatIsCommittedLateIsSentSinceAMomentBeforeItsCommit() {
        SqlConnection late = pool.getConnection().await().atMost(TIMEOUT);
        try {
            run(late, "SET default_transaction_read_only = off");
            run(late, "BEGIN READ WRITE");
            run(late, "INSERT INTO cards VALUES (100, '2026-01-01T00:02:30Z', NULL, 'late', 'late')");
            run("UPDATE cards SET body = 'soon' WHERE id = 1");
            String moment = moment("/api/cards?from_id=3");
            run(late, "COMMIT");

            JsonDocument page = Pages.read("/api/cards?from_id=3&since=" + moment);

            assertThat(page.getList("keys")).containsExactly("3", "100", "2");
            assertThat(page.getList("items.id")).containsExactly("100");
        } finally {
            run(late, "RESET default_transaction_read_only");
            late.close().await().atMost(TIMEOUT);
        }
    }

    @Test
    void aPageReadBackwardHasItsKeysAndItemsInTheListsOrder() {
        String end = Pages.read("/api/cards?from_id=2").getString("cursors.top");
        String moment = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id IN (4, 6, 3)");
        when().get("/api/cards?limit=4&cursor=" + end + "&since=" + moment)
                .then()
                .statusCode(200)
                .body("keys", contains("6", "5", "4", "3"))
                .body("items.id", contains("6", "4", "3"));
    }

    @Test
    void aKeyOfSeveralColumnsIsAnArrayAndAMovedRowIsSent() {
        String moment = moment("/api/legs");
        run("UPDATE legs SET day = '2026-06-01' WHERE number = 0");
        JsonDocument page = Pages.read("/api/legs?since=" + moment);
        assertThat(page.getList("keys").toString())
                .isEqualTo("[[2025-12-31, 1], [2026-01-01, 2], [2026-01-02, 3], [2026-06-01, 0]]");
        assertThat(page.getList("items.number").toString()).isEqualTo("[0]");
    }

    @Test
    void rowsOfAnAttachedPartitionCountAsWritten() {
        run("DROP TABLE IF EXISTS legs_2027");
        run("CREATE TABLE legs_2027 (LIKE legs INCLUDING ALL)");
        run("INSERT INTO legs_2027 VALUES ('2027-01-01', 9, '9 km')");
        String moment = moment("/api/legs");
        run("ALTER TABLE legs ATTACH PARTITION legs_2027 FOR VALUES FROM ('2027-01-01') TO ('2028-01-01')");
        try {
            JsonDocument page = Pages.read("/api/legs?since=" + moment);
            assertThat(page.getList("keys")).hasSize(5);
            assertThat(page.getList("items.distance")).containsExactly("9 km");
        } finally {
            run("DROP TABLE legs_2027");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE legs RENAME TO legs_before; ALTER TABLE legs_before RENAME TO legs",
                "ALTER TABLE legs RENAME distance TO former; ALTER TABLE legs RENAME former TO distance",
                "ALTER SCHEMA public RENAME TO other; ALTER SCHEMA other RENAME TO public"
            })
    void allRowsCountAsWrittenAfterRenamingBackAndForth(String renaming) {
        String moment = moment("/api/legs");
        run(renaming);
        assertThat(Pages.read("/api/legs?since=" + moment).getList("items")).hasSize(4);
    }

    @Test
    void allRowsCountAsWrittenAfterALabelOfAnEnumWasRenamed() {
        String moment = moment("/api/legs");
        String cards = moment("/api/cards");
        when().get("/api/legs?since=" + moment).then().statusCode(200).body("items", empty());
        run("ALTER TYPE pace RENAME VALUE 'walk' TO 'stroll'");
        try {
            assertThat(Pages.read("/api/legs?since=" + moment).getList("items.paces"))
                    .containsExactlyElementsOf(Collections.nCopies(4, List.of("stroll")));
            assertThat(Pages.read("/api/cards?since=" + cards).getList("items"))
                    .as("no column is an enum")
                    .isEmpty();
        } finally {
            run("ALTER TYPE pace RENAME VALUE 'stroll' TO 'walk'");
        }
    }

    @Test
    void frozenRowsDoNotCountAsWritten() {
        String moment = moment("/api/cards");
        run("VACUUM FREEZE cards");
        when().get("/api/cards?since=" + moment).then().statusCode(200).body("items", empty());
    }

    @Test
    void theEntityTagDoesNotDependOnTheMoment() {
        String moment = moment("/api/cards");
        for (String target : List.of("/api/cards", "/api/cards?since=" + moment, "/api/cards?title=none")) {
            Response before = get(target);
            String momentBefore = JsonDocument.of(before).getString("moment");
            // A transaction of another process, such as autovacuum, can hold the moment back.
            Await.until("the moment has advanced", () -> {
                run("CREATE TABLE other (); DROP TABLE other");
                return !JsonDocument.of(get(target)).getString("moment").equals(momentBefore);
            });
            Response after = get(target);
            after.then().header("ETag", before.header("ETag"));
            given().header("If-None-Match", before.header("ETag"))
                    .when()
                    .get(target)
                    .then()
                    .statusCode(304);
            when().head(target).then().header("ETag", before.header("ETag"));
        }
        run("UPDATE cards SET body = 'new' WHERE id = 9");
        assertThat(get("/api/cards?since=" + moment).header("ETag"))
                .isNotEqualTo(get("/api/cards?since=" + moment("/api/cards")).header("ETag"));
    }

    @Test
    void linksKeepTheMoment() {
        String moment = moment("/api/cards");
        Response page = get("/api/cards?limit=4&since=" + moment);
        assertThat(page.header("Link")).startsWith("</api/cards?limit=4&since=" + moment + "&cursor=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "made-up", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"})
    void aMomentThatTheServerHasNotSealedIsInvalid(String token) {
        JsonDocument problem = JsonDocument.of(get("/api/cards?since=" + token));
        assertThat(problem.getString("code")).isEqualTo("invalid_moment");
        assertThat(problem.getInt("status")).isEqualTo(400);
        assertThat(problem.getString("parameter")).isEqualTo("since");
    }

    @Test
    void anAlteredMomentOrACursorIsAnInvalidMomentAndAMomentIsNotACursor() {
        JsonDocument page = Pages.read("/api/cards");
        String moment = page.getString("moment");
        char first = moment.charAt(30) == 'A' ? 'B' : 'A';
        for (String token : List.of(
                page.getString("next_cursor"), moment.substring(0, 30) + first + moment.substring(31), moment + "A")) {
            assertThat(JsonDocument.of(get("/api/cards?since=" + token)).getString("code"))
                    .isEqualTo("invalid_moment");
        }
        when().get("/api/cards?cursor=" + moment).then().body("code", is("invalid_cursor"));
        when().get("/api/cards?since=" + moment + "&since=" + moment).then().body("code", is("conflicting_parameters"));
    }

    @Test
    void onlyPagesOfAFeedWithDeltaAcceptAMoment() {
        String moment = moment("/api/cards");
        when().get("/api/letters?since=" + moment).then().body("code", is("not_supported"));
        assertThat(JsonDocument.of(get("/v3/cards?limit=1&since=" + moment)).getString("code"))
                .isEqualTo("1006");
        when().get("/api/cards/fresh?cursor=x&since=" + moment).then().body("code", is("unknown_parameter"));
    }

    @Test
    void anExportBeginsWithAMomentAndCannotBeReadSinceOne() {
        String export =
                given().accept("application/x-ndjson").when().get("/api/cards").asString();
        String moment =
                JsonDocument.of(export.lines().findFirst().orElseThrow()).getString("list.moment");
        run("UPDATE cards SET body = 'new' WHERE id = 2");
        when().get("/api/cards?limit=12&since=" + moment).then().statusCode(200).body("items.id", contains("2"));
        given().accept("application/x-ndjson")
                .when()
                .get("/api/cards?since=" + moment)
                .then()
                .body("code", is("not_supported"));
    }

    @Test
    void theListOfFeedsSaysWhichHaveDelta() {
        JsonDocument feeds = Pages.read("/api");
        assertThat(feeds.getBoolean("feeds[name=cards].delta")).isTrue();
        assertThat(feeds.getMap("feeds[name=letters]")).doesNotContainKey("delta");
    }

    @Test
    void pagesOfTheUniversalProtocolHaveNoMoment() {
        JsonDocument page = Pages.read("/v3/cards?limit=2");
        assertThat(page.getList("result.rows.id")).containsExactly("9", "8");
        assertThat(page.getMap("result").keySet()).containsExactly("rows", "paging");
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
