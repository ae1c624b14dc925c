package dev.tidemark.http.export;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.StableHeaders;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an export contains, and which requests get one. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class ExportTest {

    private static final String NDJSON = "application/x-ndjson";

    @Test
    void theLinesDescribeTheListItsItemsAndItsEnd() {
        given().accept(NDJSON)
                .when()
                .get("/api/twins?fields=b")
                .then()
                .statusCode(200)
                .header("Content-Type", NDJSON)
                .body(matchesPattern("""
                        \\{"list":\\{"feed":"twins","order":"a"}}
                        \\{"item":\\{"b":"x"}}
                        \\{"item":\\{"b":"y"}}
                        \\{"item":\\{"b":"x"}}
                        \\{"end":\\{"items":3,"cursor":"[\\w-]+"}}
                        """));
    }

    @Test
    void anItemHasTheSameBytesAsOnAPage() {
        String page = get("/api/specimens").asString();
        assertThat(getLines("/api/specimens")
                        .asString()
                        .lines()
                        .filter(line -> line.startsWith("{\"item\":"))
                        .map(line -> line.substring(8, line.length() - 1)))
                .isNotEmpty()
                .allMatch(page::contains);
    }

    @Test
    void anItemWithLineBreaksInItsJsonIsOneLine() {
        assertThat(getLines("/api/papers").asString().lines())
                .hasSize(3)
                .allMatch(line -> JsonDocument.of(line).getMap("").size() == 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&order=oldest",
                "&status=ok&order=oldest",
                "&status=ok&status=sad",
                "&urgent.is=null",
                "&id.gte=20&id.lt=70",
                "&subject.prefix=Letter%201",
                "&subject.contains=letter%202"
            })
    void filtersAndOrdersApply(String query) {
        List<String> paged = new ArrayList<>();
        String cursor = "";
        do {
            JsonDocument page = Pages.read("/api/letters?limit=7" + query + cursor);
            paged.addAll(page.getList("items.id"));
            cursor = "&cursor=" + page.getString("next_cursor");
        } while (!cursor.endsWith("null"));
        assertThat(export("/api/letters?limit=1000" + query).assertComplete().ids())
                .isEqualTo(paged);
    }

    @Test
    void anExportCanStartAtAnItemOrValue() {
        assertThat(export("/api/letters?order=oldest&from_id=42").ids()).startsWith("42", "43");
        assertThat(export("/api/letters?order=oldest&from=2026-01-01T00:20:00Z").ids())
                .startsWith("80", "81")
                .hasSize(21);
    }

    @Test
    void anExportCanStartAtACursor() {
        String cursor = Pages.read("/api/letters?limit=10").getString("next_cursor");
        assertThat(export("/api/letters?cursor=" + cursor).ids())
                .startsWith("90")
                .hasSize(90);
    }

    @ParameterizedTest
    @CsvSource({"'', 100, 61", "&from_id=80, 80, 61", "&from=2026-01-01T00:20:00Z, 83, 61"})
    void untilEndsTheExportAtItsPosition(String place, int first, int last) {
        String until = Pages.read("/api/letters?limit=40").getString("next_cursor");
        String untilOfNextPage =
                Pages.read("/api/letters?limit=10&cursor=" + until).getString("cursors.top");
        for (String end : List.of(until, untilOfNextPage)) {
            ExportedLines lines = export("/api/letters?until=" + end + place).assertComplete();
            assertThat(lines.ids()).isEqualTo(idsDownFrom(first, last));
            assertThat(export("/api/letters?cursor=" + lines.end().get("cursor").asText())
                            .ids())
                    .startsWith("60");
        }
    }

    @Test
    void untilCanBeCombinedWithACursor() {
        String cursor = Pages.read("/api/letters?limit=10").getString("next_cursor");
        String until = Pages.read("/api/letters?limit=40").getString("next_cursor");
        assertThat(export("/api/letters?cursor=" + cursor + "&until=" + until).ids())
                .isEqualTo(idsDownFrom(90, 61));
        assertThat(export("/api/letters?cursor=" + until + "&until=" + cursor)
                        .assertComplete()
                        .ids())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 99, 100, 101, 1_000_000})
    void limitIsTheTotalNumberOfItems(int limit) {
        ExportedLines lines = export("/api/letters?limit=" + limit).assertComplete();
        assertThat(lines.ids()).hasSize(Math.min(limit, 100));
        String rest = "/api/letters?cursor=" + lines.end().get("cursor").asText();
        assertThat(export(rest).ids()).hasSize(Math.max(0, 100 - limit));
    }

    @Test
    void aHugeLimitExportsTheWholeList() {
        assertThat(export("/api/letters?limit=99999999999999999999999999").ids())
                .hasSize(100);
    }

    @Test
    void theCursorOfTheEndLineContinuesAfterTheLastItem() {
        ExportedLines all = export("/api/letters?order=oldest");
        String end = all.end().get("cursor").asText();
        assertThat(end)
                .isEqualTo(Pages.read("/api/letters?order=oldest&limit=100").getString("cursors.last"));
        ExportedLines tail = export("/api/letters?order=oldest&cursor=" + end).assertComplete();
        assertThat(tail.items()).isEmpty();
        assertThat(tail.end().get("cursor").asText()).isEqualTo(end);
    }

    @Test
    void anEmptyListHasNoCursor() {
        given().accept(NDJSON)
                .when()
                .get("/api/letters?id=0")
                .then()
                .statusCode(200)
                .body(equalTo("""
                        {"list":{"feed":"letters","order":"newest"}}
                        {"end":{"items":0,"cursor":null}}
                        """));
    }

    @ParameterizedTest
    @CsvSource({
        "around=2026-01-01T00:20:00Z, around",
        "around_id=42, around_id",
        "count=exact, count",
        "since=x, since",
        "offset=3, offset"
    })
    void aParameterThatDoesNotSuitExportsIsNotSupported(String query, String parameter) {
        assertNotSupported("/api/letters?" + query, parameter);
    }

    @Test
    void aBackwardCursorIsNotSupported() {
        String top = Pages.read("/api/letters?limit=10").getString("cursors.top");
        assertNotSupported("/api/letters?cursor=" + top, "cursor");
    }

    private static void assertNotSupported(String target, String parameter) {
        given().accept(NDJSON)
                .when()
                .get(target)
                .then()
                .statusCode(400)
                .body("code", is("not_supported"))
                .body("parameter", is(parameter));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/letters?limit=0, 400, invalid_limit",
        "/api/letters?limit=-1, 400, invalid_limit",
        "/api/letters?limit=many, 400, invalid_limit",
        "/api/letters?cursor=, 400, invalid_cursor",
        "/api/letters?cursor=AAAA, 400, invalid_cursor",
        "/api/letters?until=AAAA&from_id=3, 400, invalid_cursor",
        "/api/letters?from_id=3&from=2026-01-01T00:00:00Z, 400, conflicting_parameters",
        "/api/letters?limit=1&limit=2, 400, conflicting_parameters",
        "/api/letters?from=x, 400, invalid_anchor",
        "/api/letters?from_id=1000, 404, anchor_not_found",
        "/api/letters?order=best, 400, unknown_order",
        "/api/letters?nonsense=1, 400, unknown_parameter",
        "/api/letters?fields=, 400, invalid_fields",
        "/api/letters?status=angry, 400, invalid_filter",
        "/api/ranking, 400, not_supported",
        "/api/nothing, 404, unknown_feed",
        "/api/snails, 504, timeout"
    })
    void aFailureBeforeTheFirstLineIsAnOrdinaryProblem(String target, int status, String code) {
        given().accept(NDJSON)
                .when()
                .get(target)
                .then()
                .statusCode(status)
                .header("Content-Type", "application/problem+json")
                .header("Content-Encoding", nullValue())
                .body("code", is(code));
    }

    @Test
    void aCursorOfAnotherListIsAMismatch() {
        String cursor = Pages.read("/api/letters?limit=1&order=oldest").getString("next_cursor");
        given().accept(NDJSON)
                .when()
                .get("/api/letters?cursor=" + cursor)
                .then()
                .statusCode(400)
                .body("code", is("cursor_mismatch"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                NDJSON,
                "Application/X-NDJSON",
                NDJSON + ";charset=utf-8",
                NDJSON + ", application/problem+json",
                NDJSON + ", */*;q=0.1",
                NDJSON + ", application/json;q=0.9",
                NDJSON + ";q=0.5, application/json;q=0.1, */*;q=0",
                NDJSON + ", application/json;q=0"
            })
    void aClientThatPrefersLinesGetsThem(String accept) {
        given().accept(accept).when().get("/api/letters").then().statusCode(200).header("Content-Type", NDJSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/*",
                "application/json",
                NDJSON + ", application/json",
                "application/json, " + NDJSON,
                NDJSON + ";q=0.9, application/json",
                NDJSON + ";q=0.5, */*",
                NDJSON + ";q=0, */*",
                "text/html, application/xhtml+xml, */*;q=0.8"
            })
    void aClientThatDoesNotPreferLinesGetsAPage(String accept) {
        given().accept(accept)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .header("Content-Type", "application/json;charset=UTF-8");
    }

    @Test
    void aRequestWithoutAcceptGetsAPage() {
        assertThat(RawRequest.get("/api/letters").header("Content-Type")).hasValue("application/json;charset=UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/letters | application/x-ndjson;q=0",
                "/api/letters | text/html",
                "/v3/letters?limit=1 | application/x-ndjson",
                "/api | application/x-ndjson",
                "/api/letters/fresh?cursor=x | application/x-ndjson",
                "/api/letters/fresh?cursor=x | text/event-stream;q=0"
            })
    void aMediaTypeThatTheResourceDoesNotOfferIsNotAcceptable(String target, String accept) {
        given().accept(accept).when().get(target).then().statusCode(406).body(containsString("application/x-ndjson"));
    }

    @ParameterizedTest
    @ValueSource(strings = {NDJSON, "text/csv"})
    void headersPreventCachingAndBuffering(String accept) {
        given().accept(accept)
                .when()
                .get("/api/letters")
                .then()
                .header("Vary", "Accept, Accept-Encoding")
                .header("Cache-Control", "no-store")
                .header("X-Accel-Buffering", "no")
                .header("Content-Length", nullValue())
                .header("ETag", nullValue());
    }

    @ParameterizedTest
    @CsvSource({NDJSON + ", identity", NDJSON + ", gzip", "text/csv, identity", "text/csv, gzip"})
    void headHasTheHeadersOfGet(String accept, String coding) {
        RequestSpecification request = given().accept(accept).header("Accept-Encoding", coding);
        var expected = StableHeaders.of(request.when().get("/api/letters"));
        Response head = request.when().head("/api/letters");
        expected.keySet().removeAll(List.of("transfer-encoding"));
        var actual = StableHeaders.of(head);
        actual.keySet().removeAll(List.of("transfer-encoding", "content-length"));
        assertThat(actual).isEqualTo(expected);
        head.then().body(emptyString());
    }

    @Test
    void headHasTheStatusOfGet() {
        given().accept(NDJSON).when().head("/api/letters?limit=0").then().statusCode(400);
        given().accept(NDJSON).when().head("/api/snails").then().statusCode(504);
    }

    @Test
    void linesAreCompressedOnRequest() throws IOException {
        Response answer =
                given().accept(NDJSON).header("Accept-Encoding", "gzip").when().get("/api/letters");
        answer.then().header("Content-Encoding", "gzip");
        byte[] plain = new GZIPInputStream(answer.asInputStream()).readAllBytes();
        assertThat(plain)
                .isEqualTo(getLines("/api/letters").asByteArray())
                .hasSizeGreaterThan(2 * answer.asByteArray().length);
    }

    @Test
    void anExportWithAMalformedAcceptEncodingIsServedAndEnds() {
        for (int i = 0; i < 20; i++) {
            given().accept(NDJSON)
                    .header("Accept-Encoding", "gzip;x=\"")
                    .when()
                    .get("/api/twins")
                    .then()
                    .statusCode(200)
                    .header("Content-Encoding", nullValue())
                    .body(containsString("{\"end\":"));
        }
    }

    @Test
    void anExportOverHttpOneZeroEndsWithItsConnection() throws IOException {
        try (SlowExport export = SlowExport.open(TestServer.port(), "/api/letters", "Connection", "keep-alive")) {
            assertThat(export.readAll().assertComplete().ids()).hasSize(100);
        }
    }

    @Test
    void postIsNotAllowed() {
        given().accept(NDJSON)
                .when()
                .post("/api/letters")
                .then()
                .statusCode(405)
                .header("Allow", allOf(containsString("GET"), containsString("HEAD")));
    }

    private static List<String> idsDownFrom(int from, int to) {
        List<String> ids = new ArrayList<>(
                IntStream.rangeClosed(to, from).mapToObj(Integer::toString).toList());
        Collections.reverse(ids);
        return ids;
    }

    private static ExportedLines export(String target) {
        return ExportedLines.of(
                getLines(target).then().statusCode(200).extract().asString());
    }

    private static Response getLines(String target) {
        return given().accept(NDJSON).when().get(target);
    }
}
