package dev.tidemark.http.fresh;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.RestrictedFeedsProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class FreshCountTest {

    /** Compares the count with the items that paging shows, for each cursor of a page of the inbox. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "status=open&created_at.gte=2026-01-15T00:00:00Z",
                "order=oldest&status=pending&assignee.is=null",
                "order=edited&created_at.gte=2026-01-16T00:00:00Z"
            })
    void theCountEqualsTheItemsThatPagingShows(String list) {
        JsonDocument page = Pages.read("/api/messages?limit=7&" + list);
        page = Pages.read("/api/messages?limit=7&" + list + "&cursor=" + page.getString("next_cursor"));
        for (String cursor : List.of("cursors.top", "cursors.last", "next_cursor", "prev_cursor")) {
            String token = page.getString(cursor);
            String cursorMember =
                    cursor.equals("cursors.top") || cursor.equals("prev_cursor") ? "prev_cursor" : "next_cursor";
            int expected = countByPaging("/api/messages?limit=100&" + list, token, cursorMember);
            Map<String, Object> fresh = Pages.read("/api/messages/fresh?" + list + "&cursor=" + token)
                    .getMap("");
            assertThat(fresh)
                    .as(list + " from " + cursor)
                    .containsOnlyKeys("count", "capped")
                    .containsEntry("count", Math.min(expected, 100))
                    .containsEntry("capped", expected > 100);
        }
    }

    @Test
    void theCountIsCappedAt100() {
        String from100 = Pages.read("/api/notes?order=oldest&from=100&limit=1").getString("cursors.top");
        when().get("/api/notes/fresh?order=oldest&cursor=" + from100).then().body("count", is(99));
        String from101 = Pages.read("/api/notes?order=oldest&from=101&limit=1").getString("cursors.top");
        when().get("/api/notes/fresh?order=oldest&cursor=" + from101)
                .then()
                .body(is("{\"count\":100,\"capped\":false}"));
        String from102 = Pages.read("/api/notes?order=oldest&from=102&limit=1").getString("cursors.top");
        when().get("/api/notes/fresh?order=oldest&cursor=" + from102)
                .then()
                .body(is("{\"count\":100,\"capped\":true}"));
    }

    @ParameterizedTest
    @CsvSource({
        "order=newest, missing_parameter, cursor",
        "cursor=, invalid_cursor, cursor",
        "cursor=rubbish, invalid_cursor, cursor",
        "cursor=TOP&order=oldest, cursor_mismatch, cursor",
        "cursor=TOP&room=b, cursor_mismatch, cursor",
        "cursor=TOP&order=sideways, unknown_order, order",
        "cursor=TOP&cursor=TOP, conflicting_parameters, cursor",
        "cursor=TOP&limit=5, unknown_parameter, limit",
        "cursor=TOP&fields=id, unknown_parameter, fields",
        "cursor=TOP&from=5, unknown_parameter, from",
        "cursor=TOP&until=TOP, unknown_parameter, until",
        "cursor=TOP&count=exact, unknown_parameter, count",
        "cursor=TOP&offset=5, not_supported, offset",
        "cursor=TOP&page=5, not_supported, page",
        "cursor=TOP&skip=5, not_supported, skip"
    })
    void invalidParametersAreRejected(String query, String code, String parameter) {
        String top = Pages.read("/api/notes?limit=1").getString("cursors.top");
        for (String accept : List.of("application/json", "text/event-stream")) {
            JsonDocument problem =
                    JsonDocument.of(given().accept(accept).when().get("/api/notes/fresh?" + query.replace("TOP", top)));
            assertThat(problem.getString("code")).as(accept).isEqualTo(code);
            assertThat(problem.getString("parameter")).as(accept).isEqualTo(parameter);
        }
    }

    @Test
    void aFeedThatDoesNotExistIsUnknown() {
        when().get("/api/nope/fresh?cursor=x").then().body("code", is("unknown_feed"));
    }

    @Test
    void theMediaTypeIsNegotiated() {
        String target =
                "/api/notes/fresh?cursor=" + Pages.read("/api/notes?limit=1").getString("cursors.top");
        assertThat(RawRequest.get(target).header("Content-Type")).hasValue("application/json;charset=UTF-8");
        for (String json : List.of("*/*", "application/json", "application/*", "text/html, */*;q=0.8")) {
            RawResponse answer = RawRequest.send("GET " + target + " HTTP/1.1\r\nAccept: " + json);
            assertThat(answer.header("Content-Type")).as(json).hasValue("application/json;charset=UTF-8");
            assertThat(answer.header("Cache-Control")).hasValue("no-store");
            assertThat(answer.header("Vary")).hasValue("Accept, Accept-Encoding");
        }
        for (String other : List.of("text/html", "application/xml, image/png")) {
            RawResponse answer = RawRequest.send("GET " + target + " HTTP/1.1\r\nAccept: " + other);
            assertThat(answer.status()).as(other).isEqualTo(406);
            assertThat(answer.body()).contains("\"code\":\"not_acceptable\"");
        }
        assertThat(RawRequest.send("GET " + target + " HTTP/1.1\r\nAccept: rubbish")
                        .status())
                .isIn(400, 406);
    }

    @Test
    void onlyGetAndHeadAreAllowed() {
        RawResponse answer = RawRequest.send("POST /api/notes/fresh HTTP/1.1");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).hasValue("GET, HEAD, OPTIONS");
    }

    @Test
    void headSendsTheHeadersAndOpensNoStream() {
        String target =
                "/api/notes/fresh?cursor=" + Pages.read("/api/notes?limit=1").getString("cursors.top");
        assertThat(RawRequest.send("HEAD " + target + " HTTP/1.1").header("Content-Length"))
                .isPresent();
        RawResponse stream = RawRequest.send("HEAD " + target + " HTTP/1.1\r\nAccept: text/event-stream");
        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.header("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
        assertThat(stream.body()).isEmpty();
        assertThat(FreshMetrics.streams()).isZero();
    }

    private static int countByPaging(String list, String cursor, String cursorMember) {
        int items = 0;
        for (String next = cursor; next != null; ) {
            JsonDocument page = Pages.read(list + "&cursor=" + next);
            items += page.getList("items").size();
            next = page.getString(cursorMember);
        }
        return items;
    }
}
