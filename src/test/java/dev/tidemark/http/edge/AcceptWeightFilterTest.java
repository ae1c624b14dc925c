package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class AcceptWeightFilterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;q=0",
                "application/json; q=0.000",
                "Application/JSON;charset=utf-8;Q=0",
                "*/*;q=0",
                "application/*;q=0, text/html",
                "text/html, */*;q=0",
                "application/json;q=0, text/*"
            })
    void aWeightOfZeroRejectsJson(String accept) {
        assertThat(TestClient.get("/api/letters", "Accept", accept).statusCode())
                .isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json;charset=\"", "*/*, application/json;x=\""})
    void aMalformedParameterIsAMalformedRequest(String accept) {
        assertThat(TestClient.get("/api/letters", "Accept", accept).statusCode())
                .isEqualTo(400);
    }

    @Test
    void severalAcceptHeadersAreOneList() {
        HttpResponse<byte[]> json =
                TestClient.get("/api/letters?limit=1", "Accept", "text/html", "Accept", "application/json");
        assertThat(json.statusCode()).isEqualTo(200);
        String[] lines = {"Accept", "text/html", "Accept", "application/x-ndjson"};
        assertThat(TestClient.get("/api/letters?limit=1", lines).statusCode()).isEqualTo(200);
        assertThat(TestClient.get("/v3/letters?limit=1", lines).statusCode()).isEqualTo(406);
    }

    @Test
    void anotherAcceptedTypeIsSentInsteadOfARejectedOne() {
        String[] accept = {"Accept", "application/json;q=0, */*"};
        HttpResponse<byte[]> list = TestClient.get("/api/letters?limit=1", accept);
        assertThat(TestClient.header(list, "Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(TestClient.get("/api", accept).statusCode()).isEqualTo(406);
        assertThat(TestClient.get("/v3/letters?limit=1", accept).statusCode()).isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;q=0.01",
                "*/*;q=0, application/json",
                "application/json, */*;q=0",
                "text/html;q=0, */*",
                "*/*"
            })
    void jsonIsSentIfTheMostSpecificMediaRangeAcceptsIt(String accept) {
        assertThat(TestClient.get("/api/letters", "Accept", accept).statusCode())
                .isEqualTo(200);
    }
}
