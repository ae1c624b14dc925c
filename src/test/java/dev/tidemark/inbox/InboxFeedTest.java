package dev.tidemark.inbox;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InboxFeedTest {

    @Test
    void theInboxIsServedAndReady() {
        get("/q/health/ready").then().statusCode(200);
        get("/api").then().statusCode(200).body("feeds.name", hasItem("messages"));
    }

    @Test
    void theFirstPageBeginsWithTheNewestMessage() {
        get("/api/messages?limit=3")
                .then()
                .statusCode(200)
                .body("items", hasSize(3))
                .body("items[0].id", equalTo("10000"))
                .body("items[0].created_at", startsWith("2026-01-16T09:5"))
                .body("has_more", equalTo(true));
    }
}
