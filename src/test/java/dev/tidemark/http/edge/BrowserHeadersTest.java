package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Response headers that tell browsers what they may do, and headers that no response may have. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class BrowserHeadersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api",
                "GET /api/letters",
                "HEAD /api/letters",
                "GET /v3/letters?limit=1",
                "OPTIONS /api/letters",
                "POST /api/letters",
                "GET /api/letters?limit=0",
                "GET /v3/letters",
                "GET /%zz",
                "GET /nothing",
                "GET /faulty/argument"
            })
    void apiResponsesForbidSniffingAndEmbedding(String request) {
        RawResponse answer = RawRequest.send(request + " HTTP/1.1");
        assertThat(answer.head().lines().filter(line -> line.startsWith("X-Content-Type-Options")))
                .containsExactly("X-Content-Type-Options: nosniff");
        assertThat(answer.head().lines().filter(line -> line.startsWith("Content-Security-Policy")))
                .containsExactly("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'");
    }

    @Test
    void aNotModifiedResponseForbidsSniffing() {
        String tag = TestClient.header(TestClient.get("/api/letters"), "ETag");
        HttpResponse<byte[]> answer = TestClient.get("/api/letters", "If-None-Match", tag);
        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(TestClient.header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone", "/lab", "/inbox.js", "/style.css"})
    void pagesOfTheInboxLoadOnlyFromTheirOwnServer(String path) {
        HttpResponse<byte[]> answer = TestClient.get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(TestClient.header(answer, "X-Frame-Options")).isEqualTo("SAMEORIGIN");
        assertThat(TestClient.header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(TestClient.header(answer, "Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'self'")
                .doesNotContain("unsafe", "*", "data:");
    }

    @Test
    void responsesOfTheFrameworkForbidSniffing() {
        for (String path : List.of("/q/health", "/q/metrics", "/q/openapi")) {
            assertThat(TestClient.header(TestClient.get(path), "X-Content-Type-Options"))
                    .isEqualTo("nosniff");
        }
    }

    @Test
    void noResponseNamesTheServerSoftware() {
        for (String path : List.of("/", "/api", "/api/letters", "/nothing", "/%zz", "/faulty/argument", "/q/health")) {
            assertThat(TestClient.stableHeaders(TestClient.get(path.replace("%zz", "%25")))
                            .keySet())
                    .doesNotContain("Server", "X-Powered-By", "Via");
        }
    }
}
