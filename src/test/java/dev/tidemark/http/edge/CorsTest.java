package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@TestProfile(CorsTest.On.class)
class CorsTest {

    private static final String ORIGIN = "https://app.example.org";

    /** As the guide to caching has it. */
    public static class On implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.http.cors.enabled", "true",
                    "quarkus.http.cors.origins", ORIGIN,
                    "quarkus.http.cors.access-control-max-age", "24H");
        }
    }

    @Test
    void anAllowedOriginCanReadTheExposedHeaders() {
        RawRequest.Answer answer = RawRequest.send("GET /api/letters?limit=1 HTTP/1.1\r\nOrigin: " + ORIGIN);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Access-Control-Allow-Origin")).hasValue(ORIGIN);
        assertThat(answer.header("Access-Control-Expose-Headers")
                        .orElseThrow()
                        .replace(" ", "")
                        .split(","))
                .containsExactlyInAnyOrder(
                        "ETag", "Link", "Server-Timing", "Retry-After", "WWW-Authenticate", "X-Request-Id");
    }

    @Test
    void anAllowedOriginCanSendConditionalRequests() {
        RawRequest.Answer preflight = RawRequest.send("OPTIONS /api/letters HTTP/1.1\r\nOrigin: " + ORIGIN
                + "\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: if-none-match");
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.header("Access-Control-Allow-Headers")).hasValue("if-none-match");
        assertThat(preflight.header("Access-Control-Max-Age")).hasValue("86400");
        RawRequest.Answer unchanged =
                RawRequest.send("GET /api/letters?limit=1 HTTP/1.1\r\nIf-None-Match: *\r\nOrigin: " + ORIGIN);
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.header("Access-Control-Allow-Origin")).hasValue(ORIGIN);
        assertThat(unchanged.header("Vary")).hasValue("Accept-Encoding, Origin");
    }

    @Test
    void responsesVaryWithTheOriginEvenWithoutOne() {
        assertThat(TestClient.header(TestClient.get("/api/letters?limit=1"), "Vary"))
                .isEqualTo("Accept-Encoding, Origin");
        assertThat(TestClient.header(TestClient.get("/api/letters"), "Vary"))
                .isEqualTo("Accept-Encoding, Origin, Sec-CH-UA-Mobile");
        assertThat(TestClient.header(TestClient.get("/api"), "Vary")).isEqualTo("Accept-Encoding, Origin");
    }

    @Test
    void anotherOriginIsRejected() {
        RawRequest.Answer answer = RawRequest.send("GET /api/letters HTTP/1.1\r\nOrigin: https://evil.example.org");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(answer.body()).isEmpty();
    }
}
