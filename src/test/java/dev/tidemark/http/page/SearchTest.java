package dev.tidemark.http.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.TestStreams;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A feed of 3,500 rows, a page of which looks at 1,000. Every 400th row matches "whale" in its title, or in its body.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class SearchTest {

    private static final List<String> WHALES = IntStream.rangeClosed(1, 8)
            .mapToObj(i -> Integer.toString(400 * (9 - i)))
            .toList();

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private final TestStreams streams = new TestStreams();

    @BeforeEach
    void fillTable() {
        run("TRUNCATE tales");
        run("INSERT INTO people VALUES (1, 'Ada') ON CONFLICT DO NOTHING");
        run("""
                INSERT INTO tales SELECT i, '2026-01-01Z'::timestamptz + i * interval '1 minute', 'shelf ' || i % 2,
                  CASE WHEN i % 800 = 0 THEN 'The White Whale' ELSE 'Tale ' || i END,
                  CASE WHEN i % 800 = 400 THEN 'a 100% WHALE_of\\a tale 👍' ELSE 'nothing' END, CASE WHEN i % 3 = 0 THEN 1 END
                FROM generate_series(1, 3500) i""");
        run("ANALYZE tales");
    }

    @AfterEach
    void close() {
        streams.close();
        run("TRUNCATE tales");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void readingOnUntilTheEndGivesEveryMatchOnceInBothDirections(int limit) {
        String list = "/api/tales?fields=id&q=whale&limit=" + limit;
        List<String> forward = new ArrayList<>();
        JsonDocument read = Pages.read(list);
        int partial = 0;
        while (true) {
            forward.addAll(read.getList("items.id"));
            boolean isPartial = Boolean.TRUE.equals(read.getMap("").get("partial"));
            partial += isPartial ? 1 : 0;
            assertThat(read.getMap("").containsKey("partial")).isEqualTo(isPartial);
            assertThat(isPartial)
                    .isEqualTo(
                            read.getBoolean("has_more") && read.getList("items").size() < limit);
            assertThat(read.getString("next_cursor") != null).isEqualTo(read.getBoolean("has_more"));
            if (!read.getBoolean("has_more")) {
                break;
            }
            read = Pages.read(list + "&cursor=" + read.getString("next_cursor"));
        }
        assertThat(forward).isEqualTo(WHALES);
        assertThat(partial).isGreaterThanOrEqualTo(limit > 2 ? 2 : 0);
        List<String> backward = new ArrayList<>(read.getList("items.id"));
        while (read.getBoolean("has_prev")) {
            read = Pages.read(list + "&cursor=" + read.getString("prev_cursor"));
            backward.addAll(0, read.getList("items.id"));
            boolean isShort = read.getList("items").size() < limit;
            assertThat(read.getMap("").containsKey("partial")).isEqualTo(read.getBoolean("has_prev") && isShort);
        }
        assertThat(backward).isEqualTo(WHALES);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            White whale       | 3200
            white%0AWHALE%09  | 3200
            100%25            | 2800
            e_o               | 2800
            f\\a              | 2800
            👍 whale          |
            x👍               |
            tale 2800         | 2800
            """)
    void wordsAreLiteralAndInAnyCaseAndEachMayBeInAnotherColumn(String q, String first) {
        String encoded = q.contains("%") ? q.replace(" ", "%20") : URLEncoder.encode(q, StandardCharsets.UTF_8);
        Response page = given().urlEncodingEnabled(false).get("/api/tales?limit=1&q=" + encoded.replace("\\", "%5C"));
        if (q.startsWith("👍")) {
            assertThat(page.jsonPath().getString("code")).as("one character").isEqualTo("invalid_filter");
        } else {
            assertThat(page.jsonPath().getString("items[0].id")).isEqualTo(first);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            q=                              | invalid_filter         | q
            q=%20%E3%80%80                  | invalid_filter         | q
            q=a                             | invalid_filter         | q
            q=ab%20c                        | invalid_filter         | q
            q=a1+a2+a3+a4+a5+a6+a7+a8+a9    | invalid_filter         | q
            q=ab%00                         | invalid_filter         | q
            q=ab&q=ab                       | conflicting_parameters | q
            """)
    void aWrongSearchIsRejected(String query, String code, String parameter) {
        for (String path : List.of("/api/tales?", "/api/tales/fresh?cursor=x&", "/api/tales/live?")) {
            Response response = given().urlEncodingEnabled(false)
                    .accept(path.contains("live") ? "text/event-stream" : "application/json")
                    .get(path + query);
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.jsonPath().getString("code")).isEqualTo(code);
            assertThat(response.jsonPath().getString("parameter")).isEqualTo(parameter);
        }
        assertThat(given().urlEncodingEnabled(false)
                        .get("/v3/tales?limit=1&" + query)
                        .jsonPath()
                        .getInt("code"))
                .isEqualTo(code.equals("invalid_filter") ? 1008 : 1005);
    }

    @Test
    void aSearchOfUpToTwoHundredCharactersIsTaken() {
        String emoji = "👍".repeat(200);
        assertThat(search(emoji).statusCode()).isEqualTo(200);
        assertThat(search(emoji + "a").jsonPath().getString("code")).isEqualTo("invalid_filter");
        assertThat(search("a1 a2 a3 a4 a5 a6 a7 a8 A8 a1").statusCode()).isEqualTo(200);
    }

    @Test
    void aFeedWithoutSearchDoesNotKnowTheParameter() {
        Response response = given().get("/api/letters?q=letter");
        assertThat(response.jsonPath().getString("code")).isEqualTo("unknown_parameter");
        assertThat(given().get("/api/tales?Q=letter").jsonPath().getString("detail"))
                .contains("\"q\"");
    }

    @Test
    void theWordsInAnyOrderAreTheSameListAndOtherWordsAreAnother() {
        String cursor = Pages.read("/api/tales?q=white+whale&limit=1").getString("next_cursor");
        assertThat(given().get("/api/tales?limit=1&q=WHALE+white+whale&cursor=" + cursor)
                        .jsonPath()
                        .getString("items[0].id"))
                .isEqualTo("2400");
        for (String other : List.of("", "q=whale&", "q=white+whales&", "q=white&body.contains=whale&")) {
            assertThat(given().get("/api/tales?" + other + "cursor=" + cursor)
                            .jsonPath()
                            .getString("code"))
                    .isEqualTo("cursor_mismatch");
        }
    }

    @Test
    void anEmptyPartialPageHasBookmarksOnlyOfAPlace() {
        JsonDocument first = Pages.read("/api/tales?q=nowhere&limit=5");
        assertThat(first.getList("items")).isEmpty();
        assertThat(first.getString("cursors")).isEqualTo("{top=null, last=null}");
        assertThat(first.getBoolean("partial")).isTrue();
        assertThat(first.getBoolean("has_prev")).isFalse();
        JsonDocument second = Pages.read("/api/tales?q=nowhere&limit=5&cursor=" + first.getString("next_cursor"));
        assertThat(second.getString("cursors.last")).isEqualTo(first.getString("next_cursor"));
        assertThat(second.getString("next_cursor")).isNotEqualTo(first.getString("next_cursor"));
        assertThat(second.getString("prev_cursor")).isEqualTo(second.getString("cursors.top"));
    }

    @Test
    void containsIsBoundedAlikeAndFiltersNarrowTheRowsThatAreLookedAt() {
        JsonDocument all = Pages.read("/api/tales?body.contains=whale&fields=id");
        assertThat(all.getList("items.id")).isEqualTo(List.of("2800"));
        assertThat(all.getBoolean("partial")).isTrue();
        JsonDocument shelf = Pages.read("/api/tales?body.contains=whale&shelf=shelf+0&fields=id");
        assertThat(shelf.getList("items.id")).isEqualTo(List.of("2800", "2000"));
        assertThat(Pages.read("/api/tales?body.prefix=nothing&limit=1").getMap(""))
                .doesNotContainKey("partial");
    }

    @Test
    void countsLookAtTenTimesAsManyRows() {
        assertThat(Pages.read("/api/tales?q=whale&count=exact&limit=1").getString("count"))
                .isEqualTo("{value=8, relation=exact}");
        run("""
                INSERT INTO tales SELECT i, '2025-01-01Z'::timestamptz - i * interval '1 minute', 'shelf', 'whale', null, null
                FROM generate_series(10001, 17000) i""");
        assertThat(Pages.read("/api/tales?q=whale&count=exact&limit=1").getString("count"))
                .isEqualTo("{value=6508, relation=at_least}");
        assertThat(Pages.read("/api/tales?q=nowhere&count=exact&limit=1").getString("count"))
                .isEqualTo("{value=0, relation=at_least}");
        String last = Pages.read("/api/tales?q=white&shelf=shelf+0&limit=1").getString("cursors.last");
        assertThat(given().get("/api/tales/fresh?q=white&shelf=shelf+0&cursor=" + last)
                        .asString())
                .isEqualTo("{\"count\":3,\"capped\":false}");
        String first = Pages.read("/api/tales?q=white&limit=1").getString("cursors.last");
        assertThat(given().get("/api/tales/fresh?q=white&cursor=" + first).asString())
                .isEqualTo("{\"count\":3,\"capped\":true}");
    }

    @Test
    void theUniversalProtocolGoesOnByCursorAlsoWhereOffsetsAreDeclared() {
        List<String> ids = new ArrayList<>();
        String next = "0";
        int pages = 0;
        while (next != null) {
            JsonDocument page = Pages.read("/v3/tales?limit=3&q=whale&after=" + next);
            ids.addAll(page.getList("result.rows.id"));
            assertThat(page.getMap("result")).containsOnlyKeys("rows", "paging");
            next = page.getString("result.paging.next");
            pages++;
        }
        assertThat(ids).isEqualTo(WHALES);
        assertThat(pages).isEqualTo(4);
        assertThat(given().get("/v3/tales?limit=3&q=whale&after=3").jsonPath().getInt("code"))
                .isEqualTo(1002);
        assertThat(Pages.read("/v3/tales?limit=3").getString("result.paging.next"))
                .isEqualTo("3");
        JsonDocument none = Pages.read("/v3/tales?limit=0&q=nowhere");
        assertThat(none.getString("result.paging.next")).isNotNull();
        assertThat(none.getString("result.paging.previous")).isNull();
    }

    @Test
    void anExportWalksOnOverPartialPages() {
        String export = given().accept("application/x-ndjson")
                .get("/api/tales?fields=id&q=whale")
                .asString();
        List<String> ids = new ArrayList<>();
        for (String line : export.split("\n")) {
            if (line.startsWith("{\"item\"")) {
                ids.add(JsonDocument.of(line).getString("item.id"));
            }
        }
        assertThat(ids).isEqualTo(WHALES);
        assertThat(export).contains("{\"end\":{\"items\":8,");
    }

    @Test
    void aRefreshSendsTheKeysOfTheSamePage() {
        String moment = Pages.read("/api/tales?q=whale&limit=3").getString("moment");
        run("UPDATE tales SET body = 'another' WHERE id = 3200");
        JsonDocument refreshed = Pages.read("/api/tales?q=whale&fields=id,author&limit=3&since=" + moment);
        assertThat(refreshed.getList("keys")).isEqualTo(List.of("3200", "2800"));
        assertThat(refreshed.getString("items")).isEqualTo("[{id=3200, author=null}]");
        assertThat(refreshed.getBoolean("partial")).isTrue();
    }

    @Test
    void jumpsLookAtRowsOnBothSides() {
        JsonDocument around = Pages.read("/api/tales?q=whale&fields=id&limit=6&around_id=2000");
        assertThat(around.getList("items.id")).isEqualTo(List.of("2400", "2000", "1600"));
        assertThat(around.getBoolean("partial")).isTrue();
        assertThat(around.getBoolean("has_prev")).isTrue();
        assertThat(around.getBoolean("has_more")).isTrue();
        assertThat(Pages.read("/api/tales?q=whale&fields=id&cursor=" + around.getString("prev_cursor"))
                        .getList("items.id"))
                .isEqualTo(List.of("3200", "2800"));
        assertThat(given().get("/api/tales?q=whale&around_id=2001").jsonPath().getString("code"))
                .isEqualTo("anchor_not_found");
        assertThat(Pages.read("/api/tales?q=whale&fields=id&limit=1&from_id=800")
                        .getList("items.id"))
                .isEqualTo(List.of("800"));
    }

    @Test
    void aWindowThatCannotBeReadWithinTheRowsEndsWithAProblem() {
        EventClient stream = streams.open("/api/tales/live?fields=id&q=whale&limit=100");
        JsonDocument first = JsonDocument.of(stream.next());
        assertThat(first.getList("keys")).isEqualTo(WHALES);
        run("UPDATE tales SET title = 'whale' WHERE id = 1");
        assertThat(stream.nextEvent().json().getList("items.id")).isEqualTo(List.of("1"));
        run("""
                INSERT INTO tales SELECT i, '2025-01-01Z'::timestamptz - i * interval '1 minute', 'shelf', 'x', null, null
                FROM generate_series(10001, 17000) i""");
        assertThat(JsonDocument.of(stream.problem()).getString("code")).isEqualTo("not_supported");
        stream.awaitEnd();
        assertThat(given().accept("text/event-stream")
                        .get("/api/tales/live?q=whale&limit=100")
                        .jsonPath()
                        .getString("code"))
                .isEqualTo("not_supported");
        EventClient small = streams.open("/api/tales/live?fields=id&q=whale&limit=3");
        assertThat(JsonDocument.of(small.next()).getBoolean("has_more")).isTrue();
    }

    private static Response search(String q) {
        return given().urlEncodingEnabled(false).get("/api/tales?q=" + URLEncoder.encode(q, StandardCharsets.UTF_8));
    }

    private void run(String sql) {
        pool.query(sql).execute().await().indefinitely();
    }
}
