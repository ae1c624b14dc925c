package dev.tidemark.inbox;

import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InboxFeedTest {

    @Test
    void theInboxIsServedAndReady() {
        when().get("/q/health/ready").then().statusCode(200);
        when().get("/api").then().statusCode(200).body("feeds.name", hasItem("messages"));
    }

    @Test
    void theFirstPageBeginsWithTheNewestMessage() {
        when().get("/api/messages?limit=3")
                .then()
                .statusCode(200)
                .body("items", hasSize(3))
                .body("items[0].id", is("10000"))
                .body("items[0].created_at", startsWith("2026-01-16T09:5"))
                .body("has_more", is(true));
    }
}
