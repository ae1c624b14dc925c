package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The settings for cross-origin requests that the caching guide describes. */
@Timeout(120)
class CorsIT {

    private static final String ORIGIN = "https://app.example.org";

    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        server = DeployedServer.servingThings(Map.of(
                        "QUARKUS_HTTP_CORS_ENABLED", "true",
                        "QUARKUS_HTTP_CORS_ORIGINS", ORIGIN,
                        "QUARKUS_HTTP_CORS_ACCESS_CONTROL_MAX_AGE", "24H"))
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anAllowedOriginCanReadTheExposedHeaders() throws Exception {
        HttpResponse<String> response = server.get("/api/things?limit=1", "Origin", ORIGIN);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(DeployedServer.header(response, "Access-Control-Allow-Origin"))
                .isEqualTo(ORIGIN);
        assertThat(DeployedServer.header(response, "Access-Control-Expose-Headers")
                        .replace(" ", "")
                        .split(","))
                .containsExactlyInAnyOrder(
                        "ETag", "Link", "Server-Timing", "Retry-After", "WWW-Authenticate", "X-Request-Id");
    }

    @Test
    void anAllowedOriginCanSendConditionalRequests() throws Exception {
        HttpResponse<String> preflight = server.send(
                "OPTIONS",
                "/api/things",
                "Origin",
                ORIGIN,
                "Access-Control-Request-Method",
                "GET",
                "Access-Control-Request-Headers",
                "if-none-match");
        assertThat(preflight.statusCode()).isEqualTo(200);
        assertThat(DeployedServer.header(preflight, "Access-Control-Allow-Headers"))
                .isEqualTo("if-none-match");
        assertThat(DeployedServer.header(preflight, "Access-Control-Max-Age")).isEqualTo("86400");
        HttpResponse<String> unchanged = server.get("/api/things?limit=1", "If-None-Match", "*", "Origin", ORIGIN);
        assertThat(unchanged.statusCode()).isEqualTo(304);
        assertThat(DeployedServer.header(unchanged, "Access-Control-Allow-Origin"))
                .isEqualTo(ORIGIN);
        assertThat(DeployedServer.header(unchanged, "Vary")).isEqualTo("Accept, Accept-Encoding, Origin");
    }

    @Test
    void responsesVaryByOriginEvenIfTheRequestHasNone() throws Exception {
        assertThat(DeployedServer.header(server.get("/api/things?limit=1"), "Vary"))
                .isEqualTo("Accept, Accept-Encoding, Origin");
        assertThat(DeployedServer.header(server.get("/api/things"), "Vary"))
                .isEqualTo("Accept, Accept-Encoding, Origin, Sec-CH-UA-Mobile");
        assertThat(DeployedServer.header(server.get("/api"), "Vary")).isEqualTo("Accept-Encoding, Origin");
    }

    @Test
    void anotherOriginIsRejected() throws Exception {
        HttpResponse<String> response = server.get("/api/things", "Origin", "https://evil.example.org");
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(response.body()).isEmpty();
    }
}
