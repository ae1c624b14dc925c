package dev.tidemark.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.ErrorLog;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests whose end is ambiguous, so that it is unclear where the next request starts, and requests with an unusual
 * host, target, or protocol.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class RequestFramingTest {

    private static final String GET = "GET /api/letters?limit=1 HTTP/1.1\r\nHost: localhost\r\n";
    private static final String NEXT_REQUEST = "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
                "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n",
                "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
                "Content-Length: +5\r\n\r\nabcde",
                "Content-Length: -1\r\n\r\n",
                "Content-Length: 0x5\r\n\r\nabcde",
                "Content-Length: 99999999999999999999\r\n\r\n",
                "Content-Length: 11000000\r\n\r\n",
                "X-A: a\rb\r\n\r\n",
                "X-A: a\u0000b\r\n\r\n",
                "X(A: b\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void anAmbiguouslyFramedRequestIsTheLastOfItsConnection(String rest) {
        assertThat(statuses(GET + rest + NEXT_REQUEST)).hasSize(1).isSubsetOf(200, 400, 413);
    }

    /** CVE-2026-50020: a proxy could take them for the end of another request. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\u0001", "\u007f", "\u000b", "\t", "\r\n\u0000", "\u0000\r\n"})
    void onlyLineBreaksMayPrecedeARequest(String before) {
        assertThat(statuses("\r\n" + GET + "\r\n" + NEXT_REQUEST)).containsExactly(200, 404);
        assertThat(RawRequest.exchange(before + GET + "\r\n" + NEXT_REQUEST))
                .matches("(?s)HTTP/1\\.. 400 .*")
                .doesNotContain("items");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xchunked", "gzip, chunked", "identity"})
    void anUnknownTransferEncodingIsRejected(String encoding) {
        assertThat(RawRequest.exchange(GET + "Transfer-Encoding: " + encoding + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .doesNotContain("items");
    }

    @Test
    void aTransferEncodingThatDoesNotEndWithChunkedEndsTheConnection() {
        assertThat(statuses(GET + "Transfer-Encoding: chunked, identity\r\n\r\n" + NEXT_REQUEST))
                .containsExactly(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: localhost", "Host: example.org", "hOST: example.org"})
    void twoHostHeadersAreRejected(String second) {
        assertThat(RawRequest.exchange(GET + second + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("a request must have only one Host header");
    }

    @ParameterizedTest
    @CsvSource({"a%41b, 200", "lo%00calhost:80, 200", "a%4, 400", "%, 400", "a%zz%zz, 400", "\u00e9, 400", "[::1, 400"})
    void anyHostGetsAResponse(String host, int status) {
        try (ErrorLog errors = new ErrorLog()) {
            assertThat(statuses("GET /api/letters?limit=1 HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .containsExactly(status);
            assertThat(errors.lines()).isEmpty();
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() {
        String bad = "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String body = GET + "Content-Length: 5\r\n\r\nGET /";
        assertThat(statuses(bad + GET + "\r\n" + body + bad + NEXT_REQUEST)).containsExactly(400, 200, 200, 400, 404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://localhost/api/letters?limit=1 HTTP/1.1",
                "GET http://example.org/api/letters?limit=1 HTTP/1.1",
                "GET  /api/letters?limit=1  HTTP/1.1"
            })
    void aTargetCanBeAnAbsoluteUrlOrHaveExtraSpacesAroundIt(String line) {
        RawResponse answer = RawRequest.send(line);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Link").orElseThrow())
                .startsWith("</api/letters?")
                .doesNotContain("http");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIONS *",
                "GET *",
                "GET api/letters",
                "GET ?limit=1",
                "CONNECT localhost:80",
                "TRACE /api/letters",
                "get /api/letters",
                "POST /api/letters"
            })
    void anInvalidTargetOrMethodIsAProblem(String line) {
        RawResponse answer = RawRequest.send(line + " HTTP/1.1");
        assertThat(answer.status()).isIn(400, 404, 405);
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "FTP/1.1", "PAGES/7.3"})
    void anotherProtocolIsRejectedAndTheConnectionCloses(String protocol) {
        String request = "GET /api/letters?limit=1 " + protocol + "\r\nHost: localhost\r\n\r\n";
        assertThat(RawRequest.exchange(request + NEXT_REQUEST))
                .matches("(?s)" + protocol + " [45]\\d\\d .*")
                .doesNotContain("items");
    }

    @Test
    void anUpgradeToWebSocketsIsIgnored() {
        RawResponse answer = RawRequest.send("GET /api/letters?limit=1 HTTP/1.1\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void tooLargeContentIsRejectedBeforeItIsSent() {
        RawResponse answer =
                RawRequest.send("POST /api/letters HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 50000000");
        assertThat(answer.status()).isEqualTo(413);
    }

    @Test
    void theConnectionIsClosedAfterATooLongUrlOrHeader() {
        assertThat(statuses("GET /api?a=" + "a".repeat(17_000) + " HTTP/1.1\r\nHost: a\r\n\r\n" + NEXT_REQUEST))
                .containsExactly(414);
        assertThat(statuses("GET /api HTTP/1.1\r\nHost: a\r\nA: " + "a".repeat(17_000) + "\r\n\r\n" + NEXT_REQUEST))
                .containsExactly(431);
    }

    @Test
    void manySmallHeadersAreLimitedByTheirTotalSize() {
        assertThat(RawRequest.send(withHeaders(1_000)).status()).isEqualTo(200);
        assertThat(RawRequest.send(withHeaders(3_000)).status()).isEqualTo(431);
    }

    private static String withHeaders(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\r\nA" + i + ": b")
                .collect(Collectors.joining("", "GET /api/letters?limit=1 HTTP/1.1", ""));
    }

    private static List<Integer> statuses(String bytes) {
        return STATUS.matcher(RawRequest.exchange(bytes))
                .results()
                .map(status -> Integer.valueOf(status.group(1)))
                .toList();
    }
}
