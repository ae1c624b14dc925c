package dev.tidemark.http.problem;

import static dev.tidemark.http.problem.ProblemCode.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The log line of a failed request, and the request id by which the line can be found. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class FailedRequestLogTest {

    /** A request for each way in which a problem can be sent, the problem, and the method and path in the log. */
    static Stream<Arguments> failedRequests() {
        String post = " HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 0";
        return Stream.of(
                arguments("GET /api/letters?statsu=ok HTTP/1.1", UNKNOWN_PARAMETER, "GET /api/letters"),
                arguments("HEAD /api/letters?limit=0 HTTP/1.1", INVALID_LIMIT, "HEAD /api/letters"),
                arguments("GET /api/letters?cursor=x HTTP/1.1", INVALID_CURSOR, "GET /api/letters"),
                arguments("GET /api/letters/fresh HTTP/1.1", MISSING_PARAMETER, "GET /api/letters/fresh"),
                arguments(
                        "GET /api/letters/fresh?cursor=x HTTP/1.1\r\nAccept: text/event-stream",
                        INVALID_CURSOR,
                        "GET /api/letters/fresh"),
                arguments("GET /v3/letters HTTP/1.1", MISSING_PARAMETER, "GET /v3/letters"),
                arguments("GET /v3/letters/?limit=x HTTP/1.1", INVALID_LIMIT, "GET /v3/letters/"),
                arguments("GET /api?limit=1 HTTP/1.1", UNKNOWN_PARAMETER, "GET /api"),
                arguments("GET /api/jane@example.org HTTP/1.1", UNKNOWN_FEED, "GET /api/{feed}"),
                arguments("GET /jane@example.org HTTP/1.1", NOT_FOUND, "GET *"),
                arguments("GET /v3/letters/jane HTTP/1.1", NOT_FOUND, "GET *"),
                arguments("GET /api/%zz HTTP/1.1", MALFORMED_REQUEST, "GET *"),
                arguments("GET /api/letters?%zz HTTP/1.1", MALFORMED_REQUEST, "GET /api/letters"),
                arguments("GET /api/letters?" + "a".repeat(17_000) + " HTTP/1.1", URI_TOO_LONG, "GET /api/letters"),
                arguments(
                        "GET /v3/letters HTTP/1.1\r\nX-Padding: " + "a".repeat(17_000),
                        HEADERS_TOO_LARGE,
                        "GET /v3/letters"),
                arguments(
                        "POST /api/letters HTTP/1.1\r\nContent-Length: 11000000",
                        CONTENT_TOO_LARGE,
                        "POST /api/letters"),
                arguments("POST /api/letters HTTP/1.1", METHOD_NOT_ALLOWED, "POST /api/letters"),
                arguments("JANE /api/letters HTTP/1.1", METHOD_NOT_ALLOWED, "OTHER /api/letters"),
                arguments("GET /api/letters HTTP/1.1\r\nAccept: text/html", NOT_ACCEPTABLE, "GET /api/letters"),
                arguments("POST /inbox/messages" + post, UNSUPPORTED_MEDIA_TYPE, "POST /inbox/messages"),
                arguments("DELETE /inbox/messages/jane HTTP/1.1", NOT_FOUND, "DELETE /inbox/messages/{id}"),
                arguments("GET /api/snails HTTP/1.1", TIMEOUT, "GET /api/snails"),
                arguments("GET /faulty/argument HTTP/1.1", INTERNAL, "GET /faulty/argument"),
                arguments("GET /v3/faulty/argument HTTP/1.1", INTERNAL, "GET /v3/faulty/argument"));
    }

    @ParameterizedTest
    @MethodSource("failedRequests")
    void eachFailedRequestWritesOneLineWithItsRequestId(String request, ProblemCode code, String loggedRequest) {
        try (RequestLog log = new RequestLog()) {
            RawResponse answer = RawRequest.send(request);
            assertThat(answer.status()).isEqualTo(code.status());
            String id = answer.header("X-Request-Id").orElseThrow();
            assertThat(id).matches("[0-9a-v]{13}");
            if (answer.header("Content-Type").orElseThrow().contains("problem") && !request.startsWith("HEAD")) {
                assertThat(answer.body()).contains("\"request_id\":\"" + id + '"');
            }
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .matches("\\Q" + loggedRequest + " status=" + code.status() + " code=" + code.wireName()
                            + " request_id=" + id + "\\E ms=\\d+");
            assertThat(log.records().get(0).getLevel().getName())
                    .isEqualTo(code.status() < 500 ? "INFO" : code == INTERNAL ? "ERROR" : "WARN");
            assertThat(log.records().get(0).getThrown() != null).isEqualTo(code == INTERNAL);
        }
    }

    /** Another test may have caused the line of this minute. */
    @Test
    void requestsForAnUnavailableFeedWriteOneLineAMinute() {
        FreshFeedsProfile.execute("drop table if exists vanished");
        try (RequestLog log = new RequestLog()) {
            for (int i = 0; i < 3; i++) {
                assertThat(RawRequest.get("/api/vanished").body()).contains("feed_unavailable");
            }
            assertThat(log.lines()).hasSizeLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/letters?limit=1",
                "/v3/letters?limit=1",
                "/api",
                "/q/health/ready",
                "/inbox/people",
            })
    void aSuccessfulRequestIsNotLogged(String target) {
        try (RequestLog log = new RequestLog()) {
            RawResponse answer = RawRequest.send("GET " + target + " HTTP/1.1\r\nX-Request-Id: abc");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("X-Request-Id")).isEmpty();
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void theDurationIsLogged() {
        try (RequestLog log = new RequestLog()) {
            RawRequest.get("/api/snails");
            int millis = Integer.parseInt(log.lines().get(0).replaceFirst(".* ms=", ""));
            assertThat(millis).isBetween(900, 9_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0b0c6f2e-53c4-4c9d-8f9a-52c6a6e8b1f4", "A.b_c-9", "%s"})
    void aRequestKeepsItsOwnId(String format) {
        String id = format.formatted("z".repeat(64));
        for (String target : List.of("/api/letters?limit=0", "/v3/letters", "/nothing", "/%zz")) {
            try (RequestLog log = new RequestLog()) {
                RawResponse answer = RawRequest.send("GET " + target + " HTTP/1.1\r\nX-Request-Id: " + id);
                assertThat(answer.header("X-Request-Id")).contains(id);
                assertThat(log.lines()).singleElement().asString().contains(" request_id=" + id + ' ');
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a\tb",
                "a\nSet-Cookie: b",
                "<script>",
                "a,b",
                "a%0d%0ab",
                "\u00e9",
                "\u001b[31m",
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
            })
    void anUnsafeIdIsReplaced(String id) {
        try (RequestLog log = new RequestLog()) {
            RawResponse answer = RawRequest.send("GET /api/letters?limit=0 HTTP/1.1\r\nX-Request-Id: " + id);
            assertThat(answer.status()).isEqualTo(400);
            // The HTTP layer itself rejects an id that no header can hold, and writes no log line.
            if (!log.lines().isEmpty()) {
                assertThat(answer.header("X-Request-Id").orElseThrow()).matches("[0-9a-v]{13}");
                assertThat(log.lines()).singleElement().asString().matches(".* request_id=[0-9a-v]{13} ms=\\d+");
            }
            assertThat(answer.header("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void theLevelOfTheLogCategoryApplies() {
        try (RequestLog log = new RequestLog()) {
            log.setCategoryLevel(Level.WARNING);
            RawRequest.get("/api/letters?limit=0");
            assertThat(log.lines()).isEmpty();
            RawRequest.get("/faulty/argument");
            assertThat(log.lines()).hasSize(1);
            log.setCategoryLevel(Level.OFF);
            RawRequest.get("/faulty/argument");
            assertThat(log.lines()).hasSize(1);
        }
    }
}
