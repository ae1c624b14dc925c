package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
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
        HttpResponse<byte[]> answer = get("/api/twins?fields=b");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "Content-Type")).isEqualTo(NDJSON);
        assertThat(TestClient.text(answer)).matches("""
                \\{"list":\\{"feed":"twins","order":"a"}}
                \\{"item":\\{"b":"x"}}
                \\{"item":\\{"b":"y"}}
                \\{"item":\\{"b":"x"}}
                \\{"end":\\{"items":3,"cursor":"[\\w-]+"}}
                """);
    }

    @Test
    void anItemHasTheSameBytesAsOnAPage() {
        String page = TestClient.text(TestClient.get("/api/specimens"));
        assertThat(TestClient.text(get("/api/specimens"))
                        .lines()
                        .filter(line -> line.startsWith("{\"item\":"))
                        .map(line -> line.substring(8, line.length() - 1)))
                .isNotEmpty()
                .allMatch(page::contains);
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
            JsonDocument page = TestClient.page("/api/letters?limit=7" + query + cursor);
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
        String cursor = TestClient.page("/api/letters?limit=10").getString("next_cursor");
        assertThat(export("/api/letters?cursor=" + cursor).ids())
                .startsWith("90")
                .hasSize(90);
    }

    @ParameterizedTest
    @CsvSource({"'', 100, 61", "&from_id=80, 80, 61", "&from=2026-01-01T00:20:00Z, 83, 61"})
    void untilEndsTheExportAtItsPosition(String place, int first, int last) {
        String until = TestClient.page("/api/letters?limit=40").getString("next_cursor");
        String untilOfNextPage =
                TestClient.page("/api/letters?limit=10&cursor=" + until).getString("cursors.top");
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
        String cursor = TestClient.page("/api/letters?limit=10").getString("next_cursor");
        String until = TestClient.page("/api/letters?limit=40").getString("next_cursor");
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
                .isEqualTo(
                        TestClient.page("/api/letters?order=oldest&limit=100").getString("cursors.last"));
        ExportedLines tail = export("/api/letters?order=oldest&cursor=" + end).assertComplete();
        assertThat(tail.items()).isEmpty();
        assertThat(tail.end().get("cursor").asText()).isEqualTo(end);
    }

    @Test
    void anEmptyListHasNoCursor() {
        assertThat(TestClient.text(get("/api/letters?id=0"))).isEqualTo("""
                {"list":{"feed":"letters","order":"newest"}}
                {"end":{"items":0,"cursor":null}}
                """);
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
        JsonDocument problem = problem(400, "/api/letters?" + query);
        assertThat(problem.getString("code")).isEqualTo("not_supported");
        assertThat(problem.getString("parameter")).isEqualTo(parameter);
    }

    @Test
    void aBackwardCursorIsNotSupported() {
        String top = TestClient.page("/api/letters?limit=10").getString("cursors.top");
        JsonDocument problem = problem(400, "/api/letters?cursor=" + top);
        assertThat(problem.getString("code")).isEqualTo("not_supported");
        assertThat(problem.getString("parameter")).isEqualTo("cursor");
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
        HttpResponse<byte[]> answer = get(target);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(TestClient.header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(TestClient.header(answer, "Content-Encoding")).isNull();
        assertThat(JsonDocument.of(answer).getString("code")).isEqualTo(code);
    }

    @Test
    void aCursorOfAnotherListIsAMismatch() {
        String cursor = TestClient.page("/api/letters?limit=1&order=oldest").getString("next_cursor");
        assertThat(problem(400, "/api/letters?cursor=" + cursor).getString("code"))
                .isEqualTo("cursor_mismatch");
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
                NDJSON + ", application/json;q=0",
                "application/json;q=0, */*",
                "application/*, application/json; q=0.0"
            })
    void aClientThatPrefersLinesGetsThem(String accept) {
        HttpResponse<byte[]> answer = TestClient.get("/api/letters", "Accept", accept);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "Content-Type")).isEqualTo(NDJSON);
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
        HttpResponse<byte[]> answer = TestClient.get("/api/letters", "Accept", accept);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "Content-Type")).isEqualTo("application/json;charset=UTF-8");
    }

    @Test
    void aRequestWithoutAcceptGetsAPage() {
        assertThat(TestClient.header(TestClient.get("/api/letters"), "Content-Type"))
                .isEqualTo("application/json;charset=UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/letters | application/x-ndjson;q=0",
                "/api/letters | text/csv",
                "/v3/letters?limit=1 | application/x-ndjson",
                "/v3/letters?limit=1 | application/x-ndjson, application/json;q=0",
                "/api | application/x-ndjson",
                "/api/letters/fresh?cursor=x | application/x-ndjson"
            })
    void aMediaTypeThatTheResourceDoesNotOfferIsNotAcceptable(String target, String accept) {
        HttpResponse<byte[]> answer = TestClient.get(target, "Accept", accept);
        assertThat(answer.statusCode()).isEqualTo(406);
        assertThat(TestClient.text(answer)).contains("application/x-ndjson");
    }

    @Test
    void headersPreventCachingAndBuffering() {
        HttpResponse<byte[]> answer = get("/api/letters");
        assertThat(TestClient.header(answer, "Vary")).isEqualTo("Accept, Accept-Encoding");
        assertThat(TestClient.header(answer, "Cache-Control")).isEqualTo("no-store");
        assertThat(TestClient.header(answer, "X-Accel-Buffering")).isEqualTo("no");
        assertThat(TestClient.header(answer, "Content-Length")).isNull();
        assertThat(TestClient.header(answer, "ETag")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip"})
    void headHasTheHeadersOfGet(String coding) {
        var expected = TestClient.stableHeaders(get("/api/letters", "Accept-Encoding", coding));
        HttpResponse<byte[]> head = TestClient.head("/api/letters", "Accept", NDJSON, "Accept-Encoding", coding);
        expected.keySet().removeAll(List.of("transfer-encoding"));
        var actual = TestClient.stableHeaders(head);
        actual.keySet().removeAll(List.of("transfer-encoding", "content-length"));
        assertThat(actual).isEqualTo(expected);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void headHasTheStatusOfGet() {
        assertThat(TestClient.head("/api/letters?limit=0", "Accept", NDJSON).statusCode())
                .isEqualTo(400);
        assertThat(TestClient.head("/api/snails", "Accept", NDJSON).statusCode())
                .isEqualTo(504);
    }

    @Test
    void linesAreCompressedOnRequest() throws IOException {
        HttpResponse<byte[]> answer = get("/api/letters", "Accept-Encoding", "gzip");
        assertThat(TestClient.header(answer, "Content-Encoding")).isEqualTo("gzip");
        byte[] plain = new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
        assertThat(plain).isEqualTo(get("/api/letters").body()).hasSizeGreaterThan(2 * answer.body().length);
    }

    @Test
    void anExportWithAMalformedAcceptEncodingIsServedAndEnds() {
        for (int i = 0; i < 20; i++) {
            assertThat(get("/api/twins", "Accept-Encoding", "gzip;x=\"").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void anExportOverHttpOneZeroEndsWithItsConnection() throws IOException {
        try (SlowExport export = SlowExport.open(TestClient.port(), "/api/letters", "Connection", "keep-alive")) {
            assertThat(export.readAll().assertComplete().ids()).hasSize(100);
        }
    }

    @Test
    void postIsNotAllowed() {
        HttpResponse<byte[]> answer = TestClient.send("POST", "/api/letters", "Accept", NDJSON);
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(TestClient.header(answer, "Allow")).contains("GET", "HEAD");
    }

    private static List<String> idsDownFrom(int from, int to) {
        List<String> ids = new ArrayList<>(
                IntStream.rangeClosed(to, from).mapToObj(Integer::toString).toList());
        Collections.reverse(ids);
        return ids;
    }

    private static ExportedLines export(String target) {
        HttpResponse<byte[]> answer = get(target);
        assertThat(answer.statusCode()).as(target).isEqualTo(200);
        return ExportedLines.of(TestClient.text(answer));
    }

    private static JsonDocument problem(int status, String target) {
        HttpResponse<byte[]> answer = get(target);
        assertThat(answer.statusCode()).as(target).isEqualTo(status);
        return JsonDocument.of(answer);
    }

    private static HttpResponse<byte[]> get(String target, String... headers) {
        List<String> all = new ArrayList<>(List.of("Accept", NDJSON));
        Collections.addAll(all, headers);
        return TestClient.get(target, all.toArray(String[]::new));
    }
}
