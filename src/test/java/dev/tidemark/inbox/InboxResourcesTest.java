package dev.tidemark.inbox;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class InboxResourcesTest {

    @TestHTTPResource("/")
    URI server;

    @Test
    void aWrittenMessageIsReadThroughTheFeed() {
        var id = sending("{\"subject\": \"Hello\", \"body\": \"World\", \"assignee\": \"ivo\"}")
                .post("/inbox/messages")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        get("/api/messages?limit=1&from_id=" + id)
                .then()
                .body("items[0].subject", equalTo("Hello"))
                .body("items[0].status", equalTo("open"))
                .body("items[0].edited_at", equalTo(null));

        sending("{\"status\": \"closed\", \"assignee\": \"\"}")
                .patch("/inbox/messages/" + id)
                .then()
                .statusCode(204);
        get("/api/messages?limit=1&order=edited")
                .then()
                .body("items[0].id", equalTo(id))
                .body("items[0].subject", equalTo("Hello"))
                .body("items[0].status", equalTo("closed"))
                .body("items[0].assignee", equalTo(null))
                .body("items[0].edited_at", notNullValue());

        given().delete("/inbox/messages/" + id).then().statusCode(204);
        given().delete("/inbox/messages/" + id).then().statusCode(404);
        sending("{\"status\": \"open\"}").patch("/inbox/messages/" + id).then().statusCode(404);
        get("/api/messages?from_id=" + id).then().statusCode(404);

        given().put("/inbox/messages/" + id + "/restored").then().statusCode(204);
        get("/api/messages?limit=1&from_id=" + id).then().body("items[0].id", equalTo(id));
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
        sending(content).post("/inbox/messages").then().statusCode(400).body("code", equalTo("malformed_request"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"status\": \"eaten\"}", "{\"subject\": \" \"}", "{\"body\": \"\"}"})
    void anInvalidChangeOfAMessageIsRejected(String changes) {
        sending(changes).patch("/inbox/messages/1").then().statusCode(400).body("code", equalTo("malformed_request"));
    }

    @Test
    void aFormOfAnotherSiteCannotWrite() {
        given().contentType("text/plain")
                .body("{\"subject\": \"Spam\", \"body\": \"x\"}")
                .post("/inbox/messages")
                .then()
                .statusCode(415);
    }

    /** A page of another site may send that without asking first. */
    @Test
    void contentWithoutATypeCannotWrite() throws Exception {
        var post = HttpRequest.newBuilder(server.resolve("/inbox/messages"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"subject\": \"Spam\", \"body\": \"x\"}"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(post, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void theTrafficRateIsBounded() {
        sending("{\"inserts\": 501, \"edits\": 0, \"deletes\": 0}")
                .put("/inbox/traffic")
                .then()
                .statusCode(400);
        get("/inbox/traffic").then().statusCode(200).body("inserts", equalTo(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone", "/lab", "/tidemark.js", "/style.css", "/icon.svg"})
    void pagesAreRestrictedToTheirOwnServer(String path) {
        get(path)
                .then()
                .statusCode(200)
                .header("Content-Security-Policy", containsString("default-src 'none'"))
                .header("Content-Security-Policy", not(containsString("unsafe")))
                .header("X-Content-Type-Options", "nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/index.js", "/application.yaml", "/..%2fInbox.class", "/pages/tidemark.js"})
    void unknownPathsAreNotFound(String path) {
        given().urlEncodingEnabled(false).get(path).then().statusCode(404).body("code", equalTo("not_found"));
    }

    @Test
    void theOpenApiDocumentDescribesOnlyFeeds() {
        get("/q/openapi").then().body(not(containsString("/inbox")));
    }

    private static RequestSpecification sending(String content) {
        return given().contentType("application/json").body(content);
    }
}
