package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.local.TestPostgres;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of feeds with delta. The cards 1 to 9 are ordered newest first; a page has at most 5, or 12 with {@code since}. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class DeltaTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(9);

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
        TestPostgres.awaitEndOfOpenTransactions();
    }

    @Test
    void everyPageEvenAnEmptyOneHasAMoment() {
        assertThat(TestClient.page("/api/cards").getMap("").keySet())
                .containsExactly(
                        "items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "moment");
        assertThat(TestClient.page("/api/cards?title=none").getString("moment")).isNotEmpty();
        assertThat(TestClient.page("/api/cards?count=exact&around_id=4").getString("moment"))
                .isNotEmpty();
        assertThat(TestClient.page("/api/letters").getMap("")).doesNotContainKey("moment");
    }

    @Test
    void aPageSinceAMomentHasAllKeysAndOnlyTheItemsWrittenSince() {
        String moment = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id IN (3, 8)");
        run("DELETE FROM cards WHERE id = 5");

        JsonDocument page = TestClient.page("/api/cards?limit=12&since=" + moment);

        assertThat(page.getList("keys")).containsExactly("9", "8", "7", "6", "4", "3", "2", "1");
        assertThat(page.getList("items.id")).containsExactly("8", "3");
        assertThat(page.getList("items.body")).containsExactly("new", "new");
        assertThat(page.getInt("limit")).isEqualTo(12);
    }

    @Test
    void sinceDoesNotChangeTheOrderFlagsCursorsOrCountOfAPage() {
        String moment = moment("/api/cards");
        JsonDocument second = TestClient.page("/api/cards?limit=3&cursor="
                + TestClient.page("/api/cards?limit=3").getString("next_cursor"));
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
            JsonDocument plain = TestClient.page("/api/cards?limit=4&count=exact" + place);
            JsonDocument since = TestClient.page("/api/cards?limit=4&count=exact&since=" + moment + place);
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
        JsonDocument page = TestClient.page("/api/cards?fields=title&since=" + moment);
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

            JsonDocument page = TestClient.page("/api/cards?from_id=3&since=" + moment);

            assertThat(page.getList("keys")).containsExactly("3", "100", "2");
            assertThat(page.getList("items.id")).containsExactly("100");
        } finally {
            run(late, "RESET default_transaction_read_only");
            late.close().await().atMost(TIMEOUT);
        }
    }

    @Test
    void aPageReadBackwardHasItsKeysAndItemsInTheListsOrder() {
        String end = TestClient.page("/api/cards?from_id=2").getString("cursors.top");
        String moment = moment("/api/cards");
        run("UPDATE cards SET body = 'new' WHERE id IN (4, 6, 3)");
        JsonDocument page = TestClient.page("/api/cards?limit=4&cursor=" + end + "&since=" + moment);
        assertThat(page.getList("keys")).containsExactly("6", "5", "4", "3");
        assertThat(page.getList("items.id")).containsExactly("6", "4", "3");
    }

    @Test
    void aKeyOfSeveralColumnsIsAnArrayAndAMovedRowIsSent() {
        String moment = moment("/api/legs");
        run("UPDATE legs SET day = '2026-06-01' WHERE number = 0");
        JsonDocument page = TestClient.page("/api/legs?since=" + moment);
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
            JsonDocument page = TestClient.page("/api/legs?since=" + moment);
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
        assertThat(TestClient.page("/api/legs?since=" + moment).getList("items"))
                .hasSize(4);
    }

    @Test
    void allRowsCountAsWrittenAfterALabelOfAnEnumWasRenamed() {
        String moment = moment("/api/legs");
        String cards = moment("/api/cards");
        assertThat(TestClient.page("/api/legs?since=" + moment).getList("items"))
                .isEmpty();
        run("ALTER TYPE pace RENAME VALUE 'walk' TO 'stroll'");
        try {
            assertThat(TestClient.page("/api/legs?since=" + moment).getList("items.paces"))
                    .containsExactlyElementsOf(Collections.nCopies(4, List.of("stroll")));
            assertThat(TestClient.page("/api/cards?since=" + cards).getList("items"))
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
        assertThat(TestClient.page("/api/cards?since=" + moment).getList("items"))
                .isEmpty();
    }

    @Test
    void theEntityTagDoesNotDependOnTheMoment() {
        String moment = moment("/api/cards");
        for (String target : List.of("/api/cards", "/api/cards?since=" + moment, "/api/cards?title=none")) {
            HttpResponse<byte[]> before = TestClient.get(target);
            run("CREATE TABLE other (); DROP TABLE other");
            HttpResponse<byte[]> after = TestClient.get(target);
            assertThat(JsonDocument.of(after).getString("moment"))
                    .isNotEqualTo(JsonDocument.of(before).getString("moment"));
            assertThat(TestClient.header(after, "ETag")).isEqualTo(TestClient.header(before, "ETag"));
            assertThat(TestClient.get(target, "If-None-Match", TestClient.header(before, "ETag"))
                            .statusCode())
                    .isEqualTo(304);
            assertThat(TestClient.header(TestClient.head(target), "ETag")).isEqualTo(TestClient.header(before, "ETag"));
        }
        run("UPDATE cards SET body = 'new' WHERE id = 9");
        assertThat(TestClient.header(TestClient.get("/api/cards?since=" + moment), "ETag"))
                .isNotEqualTo(TestClient.header(TestClient.get("/api/cards?since=" + moment("/api/cards")), "ETag"));
    }

    @Test
    void linksKeepTheMoment() {
        String moment = moment("/api/cards");
        HttpResponse<byte[]> page = TestClient.get("/api/cards?limit=4&since=" + moment);
        assertThat(TestClient.header(page, "Link")).startsWith("</api/cards?limit=4&since=" + moment + "&cursor=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "made-up", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"})
    void aMomentThatTheServerHasNotSealedIsInvalid(String token) {
        JsonDocument problem = TestClient.json("/api/cards?since=" + token);
        assertThat(problem.getString("code")).isEqualTo("invalid_moment");
        assertThat(problem.getInt("status")).isEqualTo(400);
        assertThat(problem.getString("parameter")).isEqualTo("since");
    }

    @Test
    void anAlteredMomentOrACursorIsAnInvalidMomentAndAMomentIsNotACursor() {
        JsonDocument page = TestClient.page("/api/cards");
        String moment = page.getString("moment");
        char first = moment.charAt(30) == 'A' ? 'B' : 'A';
        for (String token : List.of(
                page.getString("next_cursor"), moment.substring(0, 30) + first + moment.substring(31), moment + "A")) {
            assertThat(TestClient.json("/api/cards?since=" + token).getString("code"))
                    .isEqualTo("invalid_moment");
        }
        assertThat(TestClient.json("/api/cards?cursor=" + moment).getString("code"))
                .isEqualTo("invalid_cursor");
        assertThat(TestClient.json("/api/cards?since=" + moment + "&since=" + moment)
                        .getString("code"))
                .isEqualTo("conflicting_parameters");
    }

    @Test
    void onlyPagesOfAFeedWithDeltaAcceptAMoment() {
        String moment = moment("/api/cards");
        assertThat(TestClient.json("/api/letters?since=" + moment).getString("code"))
                .isEqualTo("not_supported");
        assertThat(TestClient.json("/v3/cards?limit=1&since=" + moment).getString("code"))
                .isEqualTo("1006");
        assertThat(TestClient.json("/api/cards/fresh?cursor=x&since=" + moment).getString("code"))
                .isEqualTo("unknown_parameter");
    }

    @Test
    void anExportBeginsWithAMomentAndCannotBeReadSinceOne() {
        String export = TestClient.text(TestClient.get("/api/cards", "Accept", "application/x-ndjson"));
        String moment =
                JsonDocument.of(export.lines().findFirst().orElseThrow()).getString("list.moment");
        run("UPDATE cards SET body = 'new' WHERE id = 2");
        assertThat(TestClient.page("/api/cards?limit=12&since=" + moment).getList("items.id"))
                .containsExactly("2");
        assertThat(TestClient.json("/api/cards?since=" + moment, "Accept", "application/x-ndjson")
                        .getString("code"))
                .isEqualTo("not_supported");
    }

    @Test
    void theListOfFeedsSaysWhichHaveDelta() {
        JsonDocument feeds = TestClient.page("/api");
        assertThat(feeds.getBoolean("feeds[name=cards].delta")).isTrue();
        assertThat(feeds.getMap("feeds[name=letters]")).doesNotContainKey("delta");
    }

    @Test
    void pagesOfTheUniversalProtocolHaveNoMoment() {
        JsonDocument page = TestClient.page("/v3/cards?limit=2");
        assertThat(page.getList("result.rows.id")).containsExactly("9", "8");
        assertThat(page.getMap("result").keySet()).containsExactly("rows", "paging");
    }

    private static String moment(String target) {
        return TestClient.page(target).getString("moment");
    }

    private void run(String sql) {
        writer.query(sql).execute().await().atMost(TIMEOUT);
    }

    private static void run(SqlConnection connection, String sql) {
        connection.query(sql).execute().await().atMost(TIMEOUT);
    }
}
