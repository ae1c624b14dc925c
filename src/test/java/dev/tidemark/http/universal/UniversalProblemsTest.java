package dev.tidemark.http.universal;

import static dev.tidemark.http.problem.ProblemCode.*;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every error under the universal protocol has the format of that protocol. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class UniversalProblemsTest {

    @Inject
    Feeds feeds;

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    @Inject
    CursorSealer sealer;

    static Stream<Arguments> requests() {
        return Stream.of(
                arguments("/v3/letters", MISSING_PARAMETER),
                arguments("/v3/letters?after=1", MISSING_PARAMETER),
                arguments("/v3/letters?limit=", INVALID_LIMIT),
                arguments("/v3/letters?limit=-1", INVALID_LIMIT),
                arguments("/v3/letters?limit=-99999999999999999999", INVALID_LIMIT),
                arguments("/v3/letters?limit=1.5", INVALID_LIMIT),
                arguments("/v3/letters?limit=1&limit=1", CONFLICTING_PARAMETERS),
                arguments("/v3/letters?limit=1&after=1&before=9", CONFLICTING_PARAMETERS),
                arguments("/v3/letters?limit=1&after=1&after=1", CONFLICTING_PARAMETERS),
                arguments("/v3/onward?limit=1&before=5", NOT_SUPPORTED),
                arguments("/v3/onward?limit=1&before=x", NOT_SUPPORTED),
                arguments("/v3/onward?limit=1&after=41", NOT_SUPPORTED),
                arguments("/v3/letters?limit=1&before=10002", NOT_SUPPORTED),
                arguments("/v3/letters-by-offset?limit=1&after=10001", NOT_SUPPORTED),
                arguments("/v3/essays?limit=2", NOT_SUPPORTED),
                arguments("/v3/letters?limit=1&order=sideways", UNKNOWN_ORDER),
                arguments("/v3/letters?limit=1&status=angry", INVALID_FILTER),
                arguments("/v3/letters?limit=1&fields=id", UNKNOWN_PARAMETER),
                arguments("/v3/letters?limit=1&cursor=x", UNKNOWN_PARAMETER),
                arguments("/v3/letters?limit=1&from=2026-01-01T00:00:00Z", UNKNOWN_PARAMETER),
                arguments("/v3/letters?limit=1&around_id=5", UNKNOWN_PARAMETER),
                arguments("/v3/letters?limit=1&until=x", UNKNOWN_PARAMETER),
                arguments("/v3/notes?limit=1&count=exact", UNKNOWN_PARAMETER),
                arguments("/v3/letters?limit=1&offset=5", UNKNOWN_PARAMETER),
                arguments("/v3/letter?limit=1", UNKNOWN_FEED),
                arguments("/v3/letter?limit=-1&nonsense", UNKNOWN_FEED),
                arguments("/v3/letters/?limit=-1", INVALID_LIMIT),
                arguments("//v3/letters?limit=-1", INVALID_LIMIT),
                arguments("/%76%33/letters?limit=-1", INVALID_LIMIT),
                arguments("/./v3/letters?limit=-1", INVALID_LIMIT),
                arguments("/api/../v3/letters?limit=-1", INVALID_LIMIT),
                arguments("/%2e/v3/letters?limit=-1", INVALID_LIMIT),
                arguments("/./v3/letters?limit=%zz", MALFORMED_REQUEST),
                arguments("/./v3/letter?limit=1", UNKNOWN_FEED),
                arguments("/v3/./letters/nothing", NOT_FOUND),
                arguments("/v3", NOT_FOUND),
                arguments("/v3/", NOT_FOUND),
                arguments("/v3/letters/1", NOT_FOUND),
                arguments("/v3/letters/fresh", NOT_FOUND),
                arguments("/v3/letters?limit=%zz", MALFORMED_REQUEST),
                arguments("/v3/%zz", MALFORMED_REQUEST),
                arguments("/v3/letters;limit=1", MALFORMED_REQUEST),
                arguments("/v3/letters?after=" + "A".repeat(17_000), URI_TOO_LONG),
                arguments("/v3/snails?limit=1", TIMEOUT),
                arguments("/v3/snails-by-offset?limit=1", TIMEOUT),
                arguments("/v3/faulty/argument", INTERNAL));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aFailedRequestIsAnsweredWithTheNumberOfItsProblem(String target, ProblemCode code) {
        assertProblem(RawRequest.get(target), code);
    }

    static Stream<Arguments> requestsRejectedBeforeTheResource() {
        return Stream.of(
                arguments("POST /v3/letters HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("DELETE /v3/letters/ HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("GET /v3/letters?limit=1 HTTP/1.1\r\nAccept: text/html", NOT_ACCEPTABLE),
                arguments("GET /v3/letters HTTP/1.1\r\nX-Padding: " + "a".repeat(17_000), HEADERS_TOO_LARGE),
                arguments("POST /v3/letters HTTP/1.1\r\nContent-Length: 11000000", CONTENT_TOO_LARGE));
    }

    @ParameterizedTest
    @MethodSource("requestsRejectedBeforeTheResource")
    void aRequestRejectedBeforeTheResourceGetsTheNumberOfItsProblem(String request, ProblemCode code) {
        assertProblem(RawRequest.send(request), code);
    }

    /** Numbers are accepted only if they have at most nine digits and no leading zeros. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+1",
                "-1",
                "01",
                "00",
                "1.0",
                "1e3",
                "0x1",
                "%201",
                "1%20",
                "%D9%A3",
                "%EF%BC%91",
                "1,000",
                "1_0",
                "2147483648",
                "9999999999",
                "18446744073709551617",
                "x",
                "A"
            })
    void aTokenThatIsNeitherANumberNorSealedIsRejected(String token) {
        for (String feed : new String[] {"letters", "letters-by-offset", "ranking"}) {
            assertProblem(RawRequest.get("/v3/" + feed + "?limit=1&after=" + token), INVALID_CURSOR);
            assertProblem(RawRequest.get("/v3/" + feed + "?limit=1&before=" + token), INVALID_CURSOR);
        }
    }

    @Test
    void offsetsAreServedUpToTheMaximum() {
        when().get("/v3/onward?limit=1&after=40").then().statusCode(200);
        when().get("/v3/letters?limit=1&after=10000").then().statusCode(200);
        when().get("/v3/letters?limit=1&before=10001").then().statusCode(200);
        when().get("/v3/onward?limit=1&after=41")
                .then()
                .body("message", is("an offset in this list can be at most 40; narrow the list with filters"));
    }

    @Test
    void aTokenOfAnotherListIsAMismatch() {
        String token = Pages.read("/v3/letters?limit=1").getString("result.paging.next");
        assertProblem(RawRequest.get("/v3/letters?limit=1&order=oldest&after=" + token), CURSOR_MISMATCH);
        assertProblem(RawRequest.get("/v3/letters?limit=1&status=sad&before=" + token), CURSOR_MISMATCH);
        assertProblem(RawRequest.get("/v3/notes?limit=1&before=" + token), CURSOR_MISMATCH);
    }

    @Test
    void aTokenFromBeforeALifetimeWasSetIsExpired() {
        Feed feed = feeds.find("letters").orElseThrow();
        String old = Sealers.withoutLifetime()
                .seal(
                        new ListState(feed, feed.orders().byDefault(), List.of()),
                        new Continuation(Gap.after(Position.of("2026-01-01 00:00:00+00", "1")), Direction.FORWARD));
        assertProblem(RawRequest.get("/v3/letters?limit=1&before=" + old), CURSOR_EXPIRED);
    }

    /** A token that was sealed while the feed still had a key is a mismatch, too. */
    @Test
    void aSealedTokenIsAMismatchForAFeedWithoutAKey() {
        String token = Pages.read("/v3/letters?limit=1").getString("result.paging.next");
        assertProblem(RawRequest.get("/v3/ranking?limit=1&after=" + token), CURSOR_MISMATCH);
        Feed ranking = feeds.find("ranking").orElseThrow();
        String keyed = sealer.seal(
                new ListState(ranking, ranking.orders().byDefault(), List.of()),
                new Continuation(Gap.after(Position.of("1", "p1", "2")), Direction.FORWARD));
        assertProblem(RawRequest.get("/v3/ranking?limit=1&before=" + keyed), CURSOR_MISMATCH);
    }

    @Test
    void aDroppedTableIsUnavailable() {
        pool.query("drop table if exists vanished").executeAndAwait();
        for (String feed : new String[] {"vanished", "vanished-by-offset"}) {
            RawResponse answer = RawRequest.get("/v3/" + feed + "?limit=1");
            assertProblem(answer, FEED_UNAVAILABLE);
            assertThat(answer.header("Retry-After")).contains("5");
        }
    }

    @Test
    void aMethodNotAllowedListsTheAllowedMethods() {
        assertThat(RawRequest.send("POST /v3/letters HTTP/1.1").header("Allow")).contains("GET, HEAD, OPTIONS");
    }

    @Test
    void aFeedWithoutAKeyHasNoCursors() {
        for (String path : new String[] {"/api/ranking", "/api/ranking?limit=0", "/api/ranking/fresh"}) {
            when().get(path)
                    .then()
                    .statusCode(400)
                    .body("code", is("not_supported"))
                    .body("detail", endsWith("it is served at /v3/ranking"));
        }
    }

    private static void assertProblem(RawResponse answer, ProblemCode code) {
        assertThat(answer.body())
                .as(answer.head())
                .startsWith("{\"code\":" + code.number() + ",\"message\":\"")
                .endsWith("\",\"result\":null}");
        assertThat(answer.status()).isEqualTo(code.status());
        assertThat(answer.header("Content-Type")).contains("application/json");
        assertThat(answer.header("Cache-Control")).contains("no-store");
    }
}
