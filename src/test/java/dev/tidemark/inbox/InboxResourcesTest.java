package dev.tidemark.inbox;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class InboxResourcesTest {

    private static final String SPAM = "{\"subject\": \"Spam\", \"body\": \"x\"}";

    @Test
    void aWrittenMessageIsReadThroughTheFeed() {
        String id = given().contentType(ContentType.JSON)
                .body("{\"subject\": \"Hello\", \"body\": \"World\", \"assignee\": \"ivo\"}")
                .when()
                .post("/inbox/messages")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        var message = "/inbox/messages/" + id;
        assertThat(firstItem("/api/messages?limit=1&from_id=" + id))
                .containsEntry("subject", "Hello")
                .containsEntry("status", "open")
                .containsEntry("edited_at", null);

        given().contentType(ContentType.JSON)
                .body("{\"status\": \"closed\", \"assignee\": \"\"}")
                .when()
                .patch(message)
                .then()
                .statusCode(204);
        assertThat(firstItem("/api/messages?limit=1&order=edited"))
                .containsEntry("id", id)
                .containsEntry("subject", "Hello")
                .containsEntry("status", "closed")
                .containsEntry("assignee", null)
                .doesNotContainEntry("edited_at", null);

        when().delete(message).then().statusCode(204);
        when().delete(message).then().statusCode(404);
        given().contentType(ContentType.JSON)
                .body("{\"status\": \"open\"}")
                .when()
                .patch(message)
                .then()
                .statusCode(404);
        when().get("/api/messages?from_id=" + id).then().statusCode(404);

        when().put(message + "/restored").then().statusCode(204);
        assertThat(firstItem("/api/messages?limit=1&from_id=" + id)).containsEntry("id", id);
    }

    @Test
    void peopleHaveTheNamesAndColorsThatMessagesShow() {
        var id = given().contentType(ContentType.JSON)
                .body("{\"subject\": \"For Ivo\", \"body\": \"x\", \"assignee\": \"ivo\"}")
                .when()
                .post("/inbox/messages")
                .then()
                .extract()
                .<String>path("id");
        var people =
                when().get("/inbox/people").then().statusCode(200).extract().jsonPath();
        var ivo = people.<Map<String, Object>>get("agents.find { it.id == 'ivo' }");

        assertThat(firstItem("/api/messages?limit=1&from_id=" + id))
                .containsEntry("assignee", "ivo")
                .containsEntry("agent", Map.of("name", ivo.get("name"), "color", ivo.get("color")))
                .containsEntry("customer", null);
        assertThat(people.getList("customers")).hasSize(SamplePeople.CUSTOMERS);
    }

    private static Map<String, Object> firstItem(String page) {
        return Pages.read(page).getMap("items[0]");
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
        assertMalformed(
                given().contentType(ContentType.JSON).body(content).when().post("/inbox/messages"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"status\": \"eaten\"}", "{\"subject\": \" \"}", "{\"body\": \"\"}"})
    void anInvalidChangeToAMessageIsRejected(String changes) {
        assertMalformed(
                given().contentType(ContentType.JSON).body(changes).when().patch("/inbox/messages/1"));
    }

    private static void assertMalformed(Response response) {
        response.then().statusCode(400).body("code", is("malformed_request"));
    }

    @Test
    void aFormOfAnotherSiteCannotWrite() {
        given().contentType("text/plain")
                .body(SPAM)
                .when()
                .post("/inbox/messages")
                .then()
                .statusCode(415);
    }

    /**
     * A page of another site can send such a request without a preflight request. REST Assured adds a content type to
     * every request with a body.
     */
    @Test
    void aRequestWithoutAContentTypeCannotWrite() {
        RawResponse response =
                RawRequest.send("POST /inbox/messages HTTP/1.1\r\nContent-Length: " + SPAM.length(), SPAM);
        assertThat(response.status()).isEqualTo(415);
    }

    @Test
    void theTrafficRateIsBounded() {
        given().contentType(ContentType.JSON)
                .body("{\"inserts\": 501, \"edits\": 0, \"deletes\": 0}")
                .when()
                .put("/inbox/traffic")
                .then()
                .statusCode(400);
        when().get("/inbox/traffic").then().statusCode(200).body("inserts", is(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone", "/lab", "/client/index.js", "/style.css", "/icon.svg"})
    void pagesMayLoadResourcesOnlyFromTheirOwnServer(String path) {
        when().get(path)
                .then()
                .statusCode(200)
                .header("Content-Security-Policy", containsString("default-src 'none'"))
                .header("Content-Security-Policy", not(containsString("unsafe")))
                .header("X-Content-Type-Options", "nosniff");
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
        when().get(path).then().statusCode(404).body("code", is("not_found"));
    }

    @Test
    void theOpenApiDocumentDescribesOnlyFeeds() {
        when().get("/q/openapi").then().statusCode(200).body(not(containsString("/inbox")));
    }
}
