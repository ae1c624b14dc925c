package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.Slow;
import dev.tidemark.feed.read.ReadLoad;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.problem.ProblemResponses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that are rejected before they are parsed, by a server whose statements may wait for 10 ms. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@TestProfile(EarlyRejectionTest.ShortWaitProfile.class)
@Slow
class EarlyRejectionTest {

    public static class ShortWaitProfile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("tidemark.longest-wait", "10ms");
        }
    }

    /** More for each of the two event loops of a core than the statements that are always accepted. */
    private static final int CONNECTIONS = 400 * Runtime.getRuntime().availableProcessors();

    private static final String OVERLOADED = "tidemark_problems_total{code=\"overloaded\"}";

    @Inject
    ProblemResponses responses;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/letters HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/letters?cursor=abc&limit=3 HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive\r\nAuthorization: Bearer x\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nX-Request-Id: one\r\n\r\n"
            })
    void aRequestForAPageIsRejected(String request) {
        RawResponse response = responseTo(request).orElseThrow();
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Retry-After")).contains("1");
        assertThat(response.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.header("Content-Length"))
                .contains(Integer.toString(response.body().length()));
        JsonObject problem = new JsonObject(response.body());
        assertThat(problem.fieldNames())
                .containsExactly("type", "title", "status", "detail", "instance", "code", "request_id");
        assertThat(problem.getString("code")).isEqualTo("overloaded");
        assertThat(problem.getString("instance")).isEqualTo("/api/letters");
        assertThat(response.header("X-Request-Id")).contains(problem.getString("request_id"));
        assertThat(problem.getString("request_id"))
                .matches(request.contains("X-Request-Id: one") ? "one" : "[0-9a-v]{13}");
    }

    @Test
    void aRequestOfTheUniversalProtocolIsRejectedInItsForm() {
        RawResponse response = responseTo("GET /v3/letters?limit=3 HTTP/1.1\r\nHost: a\r\n\r\n")
                .orElseThrow();
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Content-Type")).contains("application/json");
        assertThat(new JsonObject(response.body()).getInteger("code")).isEqualTo(4001);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/letters/live HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/letters/fresh?cursor=a HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/let%22ers HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /q/health HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/letters HTTP/1.0\r\nHost: a\r\n\r\n",
                "GET /api/letters\r\n\r\n",
                "HEAD /api/letters HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nOrigin: https://example.org\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\nAccept: application/x-ndjson\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\n",
                "GET /api/letters HTTP/1.1\r\nHost: a\r\n\r\nGET /api/letters HTTP/1.1\r\nHost: a\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            })
    void anythingElseIsPassedOn(String request) {
        assertThat(responseTo(request)).isEmpty();
    }

    @Test
    void nothingIsRejectedWithoutOverload() {
        assertThat(new EarlyRejection(load(false), responses)
                        .responseTo(bytes("GET /api/letters HTTP/1.1\r\nHost: a\r\n\r\n")))
                .isEmpty();
    }

    @Test
    void anOverloadedServerAnswersEachRequestAndRecovers() throws Exception {
        List<RawConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(new RawConnection());
            }
            double before = Metrics.value(OVERLOADED);
            Await.until("requests are rejected", () -> {
                int rejected = requestOverAll(connections);
                return rejected > 0 && Metrics.value(OVERLOADED) > before;
            });
            Await.until("pages are served again", () -> requestOver(connections.get(0), 1) == 200);
        } finally {
            for (RawConnection connection : connections) {
                connection.close();
            }
        }
    }

    /** Requests a different page over each connection at the same time, and returns how many were rejected. */
    private static int requestOverAll(List<RawConnection> connections) throws IOException {
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).sendGet(page(i));
        }
        int rejected = 0;
        for (RawConnection connection : connections) {
            RawResponse response = connection.readResponse(false);
            assertThat(response.status()).isIn(200, 503);
            assertThat(new JsonObject(response.body()).containsKey(response.status() == 200 ? "items" : "code"))
                    .isTrue();
            rejected += response.status() == 503 ? 1 : 0;
        }
        return rejected;
    }

    private static int requestOver(RawConnection connection, int number) throws IOException {
        connection.sendGet(page(number));
        return connection.readResponse(false).status();
    }

    /** Requests for the same page would share a read. */
    private static String page(int number) {
        return "/api/letters?limit=1&from=2026-01-01T00:00:00.%06dZ".formatted(number);
    }

    private Optional<RawResponse> responseTo(String request) {
        return new EarlyRejection(load(true), responses)
                .responseTo(bytes(request))
                .map(response -> RawResponse.of(new String(response, StandardCharsets.US_ASCII)));
    }

    private static ReadLoad load(boolean isOverloaded) {
        return new ReadLoad() {
            @Override
            public boolean mayBeOverloaded() {
                return true;
            }

            @Override
            public boolean rejects(String feed) {
                return isOverloaded && feed.equals("letters");
            }
        };
    }

    private static ByteBuf bytes(String request) {
        return Unpooled.copiedBuffer(request, StandardCharsets.ISO_8859_1);
    }
}
