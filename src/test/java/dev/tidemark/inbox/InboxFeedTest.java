package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestClient;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InboxFeedTest {

    @Test
    void theInboxIsServedAndReady() {
        assertThat(TestClient.get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(TestClient.page("/api").getList("feeds.name")).contains("messages");
    }

    @Test
    void theFirstPageBeginsWithTheNewestMessage() {
        JsonDocument page = TestClient.page("/api/messages?limit=3");
        assertThat(page.getList("items")).hasSize(3);
        assertThat(page.getString("items[0].id")).isEqualTo("10000");
        assertThat(page.getString("items[0].created_at")).startsWith("2026-01-16T09:5");
        assertThat(page.getBoolean("has_more")).isTrue();
    }
}
