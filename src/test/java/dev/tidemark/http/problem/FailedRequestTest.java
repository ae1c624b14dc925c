package dev.tidemark.http.problem;

import static dev.tidemark.http.problem.ProblemCode.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tidemark.http.ErrorLog;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The id of a failed request, and the log of unexpected failures. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class FailedRequestTest {

    /** A request for each way in which a problem can be sent, and the problem. */
    static Stream<Arguments> failedRequests() {
        String post = " HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 0";
        return Stream.of(
                arguments("GET /api/letters?statsu=ok HTTP/1.1", UNKNOWN_PARAMETER),
                arguments("HEAD /api/letters?limit=0 HTTP/1.1", INVALID_LIMIT),
                arguments("GET /api/letters?cursor=x HTTP/1.1", INVALID_CURSOR),
                arguments("GET /api/letters/fresh HTTP/1.1", MISSING_PARAMETER),
                arguments("GET /api/letters/fresh?cursor=x HTTP/1.1\r\nAccept: text/event-stream", INVALID_CURSOR),
                arguments("GET /v3/letters HTTP/1.1", MISSING_PARAMETER),
                arguments("GET /v3/letters/?limit=x HTTP/1.1", INVALID_LIMIT),
                arguments("GET /api?limit=1 HTTP/1.1", UNKNOWN_PARAMETER),
                arguments("GET /api/jane@example.org HTTP/1.1", UNKNOWN_FEED),
                arguments("GET /jane@example.org HTTP/1.1", NOT_FOUND),
                arguments("GET /v3/letters/jane HTTP/1.1", NOT_FOUND),
                arguments("GET /api/%zz HTTP/1.1", MALFORMED_REQUEST),
                arguments("GET /api/letters?%zz HTTP/1.1", MALFORMED_REQUEST),
                arguments("GET /api/letters?" + "a".repeat(17_000) + " HTTP/1.1", URI_TOO_LONG),
                arguments("GET /v3/letters HTTP/1.1\r\nX-Padding: " + "a".repeat(17_000), HEADERS_TOO_LARGE),
                arguments("POST /api/letters HTTP/1.1\r\nContent-Length: 11000000", CONTENT_TOO_LARGE),
                arguments("POST /api/letters HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("JANE /api/letters HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("GET /api/letters HTTP/1.1\r\nAccept: text/html", NOT_ACCEPTABLE),
                arguments("POST /inbox/messages" + post, UNSUPPORTED_MEDIA_TYPE),
                arguments("DELETE /inbox/messages/jane HTTP/1.1", NOT_FOUND),
                arguments("GET /api/snails HTTP/1.1", TIMEOUT),
                arguments("GET /faulty/argument HTTP/1.1", INTERNAL),
                arguments("GET /v3/faulty/argument HTTP/1.1", INTERNAL));
    }

    @ParameterizedTest
    @MethodSource("failedRequests")
    void eachFailedRequestHasAnId(String request, ProblemCode code) {
        try (ErrorLog errors = new ErrorLog()) {
            RawResponse answer = RawRequest.send(request);
            assertThat(answer.status()).isEqualTo(code.status());
            String id = answer.header("X-Request-Id").orElseThrow();
            assertThat(id).matches("[0-9a-v]{13}");
            if (answer.header("Content-Type").orElseThrow().contains("problem") && !request.startsWith("HEAD")) {
                assertThat(answer.body()).contains("\"request_id\":\"" + id + '"');
            }
            assertThat(errors.lines()).hasSize(code == INTERNAL ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/faulty/argument", "/v3/faulty/argument"})
    void anUnexpectedFailureIsLoggedWithItsRequestIdAndWithoutTheQuery(String path) {
        try (ErrorLog errors = new ErrorLog()) {
            RawRequest.send("GET " + path + "?name=jane HTTP/1.1\r\nX-Request-Id: abc");
            assertThat(errors.lines())
                    .singleElement()
                    .asString()
                    .startsWith(ProblemResponses.class.getName() + ": GET " + path + " failed, request_id=abc ")
                    .contains("Exception")
                    .doesNotContain("jane");
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
    void aSuccessfulRequestHasNoId(String target) {
        RawResponse answer = RawRequest.send("GET " + target + " HTTP/1.1\r\nX-Request-Id: abc");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("X-Request-Id")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0b0c6f2e-53c4-4c9d-8f9a-52c6a6e8b1f4", "A.b_c-9", "%s"})
    void aRequestKeepsItsOwnId(String format) {
        String id = format.formatted("z".repeat(64));
        for (String target : List.of("/api/letters?limit=0", "/v3/letters", "/nothing", "/%zz")) {
            RawResponse answer = RawRequest.send("GET " + target + " HTTP/1.1\r\nX-Request-Id: " + id);
            assertThat(answer.header("X-Request-Id")).contains(id);
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
        RawResponse answer = RawRequest.send("GET /api/letters?limit=0 HTTP/1.1\r\nX-Request-Id: " + id);
        assertThat(answer.status()).isEqualTo(400);
        // The HTTP layer itself rejects an id that no header can hold, with a response that has none.
        assertThat(answer.header("X-Request-Id").orElse("0000000000000")).matches("[0-9a-v]{13}");
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }
}
