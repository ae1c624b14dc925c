package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Long URLs over HTTP/2, which has its own settings for limits. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class HttpTwoTest {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

    @Test
    void anInvalidTokenOf10KilobytesIsAnInvalidCursor() throws Exception {
        assertThat(get("/api/letters?limit=1").version()).isEqualTo(HttpClient.Version.HTTP_2);
        HttpResponse<String> answer = get("/api/letters?cursor=" + "A".repeat(10_000));
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.body()).contains("invalid_cursor");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        int port = TestServer.port();
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
