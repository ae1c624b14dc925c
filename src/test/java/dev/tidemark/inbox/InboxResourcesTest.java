package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestClient;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class InboxResourcesTest {

    private static final BodyPublisher SPAM = BodyPublishers.ofString("{\"subject\": \"Spam\", \"body\": \"x\"}");

    @Test
    void aWrittenMessageIsReadThroughTheFeed() {
        var written = TestClient.sendJson(
                "POST", "/inbox/messages", "{\"subject\": \"Hello\", \"body\": \"World\", \"assignee\": \"ivo\"}");
        assertThat(written.statusCode()).isEqualTo(201);
        var id = JsonDocument.of(written).getString("id");
        var message = "/inbox/messages/" + id;
        assertThat(firstItem("/api/messages?limit=1&from_id=" + id))
                .containsEntry("subject", "Hello")
                .containsEntry("status", "open")
                .containsEntry("edited_at", null);

        assertThat(TestClient.sendJson("PATCH", message, "{\"status\": \"closed\", \"assignee\": \"\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(firstItem("/api/messages?limit=1&order=edited"))
                .containsEntry("id", id)
                .containsEntry("subject", "Hello")
                .containsEntry("status", "closed")
                .containsEntry("assignee", null)
                .doesNotContainEntry("edited_at", null);

        assertThat(TestClient.send("DELETE", message).statusCode()).isEqualTo(204);
        assertThat(TestClient.send("DELETE", message).statusCode()).isEqualTo(404);
        assertThat(TestClient.sendJson("PATCH", message, "{\"status\": \"open\"}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(TestClient.get("/api/messages?from_id=" + id).statusCode()).isEqualTo(404);

        assertThat(TestClient.send("PUT", message + "/restored").statusCode()).isEqualTo(204);
        assertThat(firstItem("/api/messages?limit=1&from_id=" + id)).containsEntry("id", id);
    }

    private static Map<String, Object> firstItem(String page) {
        return TestClient.page(page).getMap("items[0]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"subject\": \" \", \"body\": \"x\"}",
                "{\"subject\": \"\\u0000\", \"body\": \"x\"}",
                "{\"subject\": \"x\", \"body\": \"x\", \"assignee\": \"\\u0000\"}",
                "{\"subject\": [], \"body\": \"x\"}",
                "{\"subject\": "
            })
    void anInvalidMessageIsRejected(String content) {
        assertMalformed(TestClient.sendJson("POST", "/inbox/messages", content));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"status\": \"eaten\"}", "{\"subject\": \" \"}", "{\"body\": \"\"}"})
    void anInvalidChangeToAMessageIsRejected(String changes) {
        assertMalformed(TestClient.sendJson("PATCH", "/inbox/messages/1", changes));
    }

    private static void assertMalformed(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(JsonDocument.of(response).getString("code")).isEqualTo("malformed_request");
    }

    @Test
    void aFormOfAnotherSiteCannotWrite() {
        assertThat(TestClient.send("POST", "/inbox/messages", SPAM, "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
    }

    /** A page of another site can send such a request without a preflight request. */
    @Test
    void aRequestWithoutAContentTypeCannotWrite() {
        assertThat(TestClient.send("POST", "/inbox/messages", SPAM).statusCode())
                .isEqualTo(415);
    }

    @Test
    void theTrafficRateIsBounded() {
        assertThat(TestClient.sendJson("PUT", "/inbox/traffic", "{\"inserts\": 501, \"edits\": 0, \"deletes\": 0}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(TestClient.page("/inbox/traffic").getInt("inserts")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone", "/lab", "/client/index.js", "/style.css", "/icon.svg"})
    void pagesMayLoadResourcesOnlyFromTheirOwnServer(String path) {
        var page = TestClient.get(path);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(page, "Content-Security-Policy"))
                .contains("default-src 'none'")
                .doesNotContain("unsafe");
        assertThat(TestClient.header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/index.js",
                "/application.yaml",
                "/..%2fInbox.class",
                "/pages/client/index.js",
                "/client/package.json"
            })
    void unknownPathsAreNotFound(String path) {
        var response = TestClient.get(path);
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(JsonDocument.of(response).getString("code")).isEqualTo("not_found");
    }

    @Test
    void theOpenApiDocumentDescribesOnlyFeeds() {
        assertThat(TestClient.text(TestClient.get("/q/openapi"))).doesNotContain("/inbox");
    }
}
