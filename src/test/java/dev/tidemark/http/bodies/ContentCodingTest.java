package dev.tidemark.http.bodies;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.http.StableHeaders;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class ContentCodingTest {

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/letters", "/api/letters?id=4711", "/api/letters?limit=x", "/api/nobody"})
    void theCompressedBodyEqualsThePlainBody(String target) throws IOException {
        Response plain = given().header("X-Request-Id", "same").when().get(target);
        Response gzip = with("gzip").when().get(target);
        plain.then().header("Content-Encoding", nullValue());
        gzip.then()
                .header("Content-Encoding", "gzip")
                .header("Content-Length", Integer.toString(gzip.asByteArray().length))
                .header("Content-Type", plain.header("Content-Type"))
                .header("ETag", plain.header("ETag"));
        assertThat(new GZIPInputStream(gzip.asInputStream()).readAllBytes()).isEqualTo(plain.asByteArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GZIP",
                "gzip, deflate, br, zstd",
                "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "*",
                "identity;q=0, *;q=0.5",
                "identity;q=0.5, gzip;q=0.5"
            })
    void gzipIsSentIfItIsAcceptedAndIdentityIsNotPreferred(String accepted) {
        given().header("Accept-Encoding", accepted)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .header("Content-Encoding", "gzip");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "identity",
                "gzip;q=0",
                "gzip;q=0, *",
                "identity, gzip;q=0.5",
                "br",
                "deflate",
                "*;q=0",
                ";,;q",
                "gzip;x=\"",
                ""
            })
    void nothingIsCompressedIfGzipIsNotAcceptedOrIdentityIsPreferred(String accepted) {
        given().header("Accept-Encoding", accepted)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .header("Content-Encoding", nullValue())
                .body(equalTo(get("/api/letters").asString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/letters", "/api/letters?id=4711", "/api/letters?limit=x", "/api/nobody"})
    void headHasTheHeadersOfGetInEitherCoding(String target) {
        for (String coding : List.of("identity", "gzip")) {
            Response get = with(coding).when().get(target);
            Response head = with(coding).when().head(target);
            head.then().statusCode(get.statusCode()).body(emptyString());
            assertThat(StableHeaders.of(head)).isEqualTo(StableHeaders.of(get));
        }
    }

    private static RequestSpecification with(String coding) {
        return given().header("X-Request-Id", "same").header("Accept-Encoding", coding);
    }
}
