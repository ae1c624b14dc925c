package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class ContentCodingTest {

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/letters", "/api/letters?id=4711", "/api/letters?limit=x", "/api/nobody"})
    void theCompressedBodyEqualsThePlainBody(String target) throws IOException {
        HttpResponse<byte[]> plain = TestClient.get(target, "X-Request-Id", "same");
        HttpResponse<byte[]> gzip = TestClient.get(target, "X-Request-Id", "same", "Accept-Encoding", "gzip");
        assertThat(TestClient.header(plain, "Content-Encoding")).isNull();
        assertThat(TestClient.header(gzip, "Content-Encoding")).isEqualTo("gzip");
        assertThat(TestClient.header(gzip, "Content-Length")).isEqualTo(Integer.toString(gzip.body().length));
        assertThat(TestClient.header(gzip, "Content-Type")).isEqualTo(TestClient.header(plain, "Content-Type"));
        assertThat(TestClient.header(gzip, "ETag")).isEqualTo(TestClient.header(plain, "ETag"));
        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
                .isEqualTo(plain.body());
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
        HttpResponse<byte[]> answer = TestClient.get("/api/letters", "Accept-Encoding", accepted);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "Content-Encoding")).isEqualTo("gzip");
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
        HttpResponse<byte[]> answer = TestClient.get("/api/letters", "Accept-Encoding", accepted);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(answer, "Content-Encoding")).isNull();
        assertThat(answer.body()).isEqualTo(TestClient.get("/api/letters").body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/letters", "/api/letters?id=4711", "/api/letters?limit=x", "/api/nobody"})
    void headHasTheHeadersOfGetInEitherCoding(String target) {
        for (String coding : new String[] {"identity", "gzip"}) {
            HttpResponse<byte[]> get = TestClient.get(target, "X-Request-Id", "same", "Accept-Encoding", coding);
            HttpResponse<byte[]> head = TestClient.head(target, "X-Request-Id", "same", "Accept-Encoding", coding);
            assertThat(head.statusCode()).isEqualTo(get.statusCode());
            assertThat(TestClient.stableHeaders(head)).isEqualTo(TestClient.stableHeaders(get));
            assertThat(head.body()).isEmpty();
        }
    }
}
