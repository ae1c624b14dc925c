package dev.tidemark.http.export;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an export as CSV contains, and which requests get one. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class CsvExportTest {

    private static final String CSV = "text/csv";
    private static final String CONTENT_TYPE = "text/csv; charset=utf-8; header=present";

    @Inject
    @ReactiveDataSource("inbox")
    Pool writer;

    @Test
    void aLineWithTheNamesOfTheColumnsPrecedesTheItems() {
        given().accept(CSV)
                .when()
                .get("/api/twins")
                .then()
                .statusCode(200)
                .header("Content-Type", CONTENT_TYPE)
                .body(is("a,b\r\n1,x\r\n1,y\r\n2,x\r\n"));
    }

    @Test
    void anEmptyListIsTheNamesOfItsColumns() {
        assertThat(csv("/api/letters?id=0")).isEqualTo("id,sent_at,subject,status,urgent\r\n");
    }

    @Test
    void theColumnsAreInTheSequenceOfFields() {
        assertThat(csv("/api/twins?fields=b,a&limit=2")).isEqualTo("b,a\r\nx,1\r\ny,1\r\n");
    }

    @Test
    void theColumnsOfAnEmbedStandInItsPlace() {
        writer.query("truncate people, posts, dossiers").executeAndAwait();
        writer.query("insert into people values (1, 'Lovelace, Ada', 'very happy'), (2, 'Bob', null)")
                .executeAndAwait();
        writer.query("insert into posts (id, at, title, author_id, reviewer_id) values"
                        + " (1, '2026-01-01T00:01:00Z', 'one', 2, null), (2, '2026-01-01T00:02:00Z', 'two', 1, 2),"
                        + " (3, '2026-01-01T00:03:00Z', 'three', null, 99)")
                .executeAndAwait();
        assertThat(csv("/api/posts")).isEqualTo("""
                        id,at,title,author.name,author.mood,reviewer.name
                        3,2026-01-01T00:03:00Z,three,,,
                        2,2026-01-01T00:02:00Z,two,"Lovelace, Ada",very happy,Bob
                        1,2026-01-01T00:01:00Z,one,Bob,,
                        """.replace("\n", "\r\n"));
        assertThat(csv("/api/posts?fields=reviewer,id,author&limit=2"))
                .isEqualTo("reviewer.name,id,author.name,author.mood\r\n,3,,\r\n"
                        + "Bob,2,\"Lovelace, Ada\",very happy\r\n");
    }

    @Test
    void valuesOfEveryTypeHaveTheirFormInJsonWithoutQuotes() {
        assertThat(row(2, "small,big,exact,single,twofold,yes"))
                .isEqualTo("-32768,9223372036854775807,1.10,0.1," + "0.30000000000000004,true");
        assertThat(row(4, "exact,single,twofold")).isEqualTo("Infinity,-Infinity,-0.0");
        assertThat(row(2, "words,code,feeling"))
                .isEqualTo("\"a \"\"quoted\"\" \\ line\nand \u4e16\ud83d\ude00\",ab   ,very happy");
        assertThat(row(2, "token,day,at_time,local,moment"))
                .isEqualTo("01234567-89ab-cdef-0123-456789abcdef,2026-01-16,10:00:00.5,2026-01-16T10:00:00.123,"
                        + "2026-01-16T10:00:00.123456Z");
        assertThat(row(4, "day,local,moment"))
                .isEqualTo("-0043-03-15,+12026-01-01T00:00:00,+0000-12-31T23:59:59.999999Z");
        assertThat(row(2, "doc,docb,raw,span"))
                .isEqualTo("\"{\"\"a\"\": [1, null]}\",\"{\"\"b\"\": 1.50}\",AP8=,1 day");
        assertThat(row(2, "ints,bigs,flags"))
                .isEqualTo("\"[[1,2],[3,null]]\",\"[\"\"9007199254740993\"\",\"\"2\"\"]\",\"[true,false]\"");
        assertThat(row(2, "words_list"))
                .isEqualTo("\"[\"\"\"\",null,\"\"NULL\"\",\"\"a,b\"\",\"\"{}\"\",\"\"q\\\"\"\\\\\"\"]\"");
        assertThat(row(2, "days,raws,docs"))
                .isEqualTo("\"[\"\"-0043-03-15\"\"]\",\"[\"\"AP8=\"\"]\","
                        + "\"[{\"\"a\"\": \"\"x,\u00e4\u4e16\ud83d\ude00\"\"}]\"");
        assertThat(row(3, "ints")).isEqualTo("[]");
    }

    @Test
    void nullIsAnEmptyFieldAndAnEmptyStringIsNot() {
        assertThat(row(1, "id,small,yes,words,day,doc,ints,moments")).isEqualTo("1,,,,,,,");
        writer.query("insert into specimens (id, words, doc, docb) values (5, '', 'null', '\"text\"')")
                .executeAndAwait();
        try {
            assertThat(row(5, "words,code,doc,docb")).isEqualTo("\"\",,null,\"\"\"text\"\"\"");
        } finally {
            writer.query("delete from specimens where id = 5").executeAndAwait();
        }
    }

    @Test
    void aJsonDocumentIsOnOneLine() {
        assertThat(csv("/api/papers"))
                .isEqualTo("id,doc,docs\r\n1,\"{   \"\"a\"\": \"\"x\\ny\"\",    \"\"b\"\": [] }\",\"[[1, 2]]\"\r\n");
    }

    @Test
    void aListOfManyReadsHasEveryItemOnce() {
        assertThat(csv("/api/letters?order=oldest&fields=id").lines().skip(1))
                .isEqualTo(ExportedLines.of(given().accept("application/x-ndjson")
                                .when()
                                .get("/api/letters?order=oldest")
                                .asString())
                        .ids())
                .hasSize(100);
    }

    @Test
    void placesAndLimitsApply() {
        assertThat(csv("/api/letters?order=oldest&from_id=42&limit=2&fields=id"))
                .isEqualTo("id\r\n42\r\n43\r\n");
        assertThat(csv("/api/letters?order=oldest&from=2026-01-01T00:20:00Z&limit=1&fields=id"))
                .isEqualTo("id\r\n80\r\n");
        String cursor = Pages.read("/api/letters?limit=10").getString("next_cursor");
        String until = Pages.read("/api/letters?limit=12").getString("next_cursor");
        assertThat(csv("/api/letters?fields=id&cursor=" + cursor + "&until=" + until))
                .isEqualTo("id\r\n90\r\n89\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/letters?limit=0, 400, invalid_limit",
        "/api/letters?fields=x, 400, invalid_fields",
        "/api/letters?count=exact, 400, not_supported",
        "/api/letters?around_id=42, 400, not_supported",
        "/api/letters?since=x, 400, not_supported",
        "/api/letters?from_id=1000, 404, anchor_not_found",
        "/api/ranking, 400, not_supported",
        "/api/nothing, 404, unknown_feed",
        "/api/snails, 504, timeout"
    })
    void aFailureBeforeTheFirstLineIsAnOrdinaryProblem(String target, int status, String code) {
        given().accept(CSV)
                .when()
                .get(target)
                .then()
                .statusCode(status)
                .header("Content-Type", "application/problem+json")
                .body("code", is(code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CSV,
                "text/CSV;charset=utf-8",
                "text/csv; header=present",
                "text/*",
                CSV + ", application/problem+json",
                CSV + ", */*;q=0.1",
                CSV + ", application/json;q=0.9",
                CSV + ", application/x-ndjson;q=0.9",
                "application/x-ndjson;q=0.2, text/csv;q=0.3",
                "application/x-ndjson;q=0, text/csv;q=0.3"
            })
    void aClientThatPrefersCsvGetsIt(String accept) {
        given().accept(accept).when().get("/api/letters").then().statusCode(200).header("Content-Type", CONTENT_TYPE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/csv, application/x-ndjson | application/x-ndjson",
                "application/x-ndjson, text/csv | application/x-ndjson",
                "application/x-ndjson;q=0.3, text/csv;q=0.3 | application/x-ndjson",
                "application/x-ndjson, text/csv;q=0.9 | application/x-ndjson",
                "application/x-ndjson, text/csv;q=0 | application/x-ndjson",
                "text/csv, application/json | application/json",
                "text/csv;q=0.9, */* | application/json",
                "text/csv;q=0, */* | application/json",
                "text/html, application/xhtml+xml, */*;q=0.8 | application/json"
            })
    void aClientThatDoesNotPreferCsvGetsAnotherType(String accept, String type) {
        given().accept(accept)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith(type));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/letters | text/csv;q=0",
                "/api/letters | text/html",
                "/v3/letters?limit=1 | text/csv",
                "/api | text/csv",
                "/api/letters/fresh?cursor=x | text/csv",
                "/api/cards/live | text/csv"
            })
    void aMediaTypeThatTheResourceDoesNotOfferIsNotAcceptable(String target, String accept) {
        given().accept(accept).when().get(target).then().statusCode(406);
    }

    @Test
    void linesAreCompressedOnRequest() throws IOException {
        Response answer =
                given().accept(CSV).header("Accept-Encoding", "gzip").when().get("/api/letters");
        answer.then().header("Content-Encoding", "gzip");
        assertThat(new GZIPInputStream(answer.asInputStream()).readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(csv("/api/letters"));
    }

    /** The fields of one specimen. */
    private static String row(int id, String fields) {
        String csv = csv("/api/specimens?id=" + id + "&fields=" + fields);
        assertThat(csv).startsWith(fields + "\r\n").endsWith("\r\n");
        return csv.substring(fields.length() + 2, csv.length() - 2);
    }

    private static String csv(String target) {
        byte[] utf8 = given().accept(CSV)
                .when()
                .get(target)
                .then()
                .statusCode(200)
                .extract()
                .asByteArray();
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
