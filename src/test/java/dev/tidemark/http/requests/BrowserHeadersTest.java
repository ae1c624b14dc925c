package dev.tidemark.http.requests;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
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
        given().header("If-None-Match", get("/api/letters").header("ETag"))
                .when()
                .get("/api/letters")
                .then()
                .statusCode(304)
                .header("X-Content-Type-Options", "nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone", "/lab", "/inbox.js", "/style.css"})
    void pagesOfTheInboxLoadOnlyFromTheirOwnServer(String path) {
        when().get(path)
                .then()
                .statusCode(200)
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "SAMEORIGIN")
                .header("Referrer-Policy", "no-referrer")
                .header("Content-Security-Policy", startsWith("default-src 'none'; script-src 'self';"))
                .header("Content-Security-Policy", containsString("frame-ancestors 'self'"))
                .header("Content-Security-Policy", not(containsString("unsafe")))
                .header("Content-Security-Policy", not(containsString("*")))
                .header("Content-Security-Policy", not(containsString("data:")));
    }

    @Test
    void responsesOfTheFrameworkForbidSniffing() {
        for (String path : List.of("/q/health", "/q/metrics", "/q/openapi")) {
            when().get(path).then().header("X-Content-Type-Options", "nosniff");
        }
    }

    @Test
    void noResponseNamesTheServerSoftware() {
        for (String path : List.of("/", "/api", "/api/letters", "/nothing", "/%zz", "/faulty/argument", "/q/health")) {
            when().get(path.replace("%zz", "%25"))
                    .then()
                    .header("Server", nullValue())
                    .header("X-Powered-By", nullValue())
                    .header("Via", nullValue());
        }
    }
}
