package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The OpenAPI documents of a server with hundreds of feeds. */
@Timeout(120)
@Slow
class ManyFeedsIT {

    private static final int FEEDS = 300;

    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        Map<String, String> config = new HashMap<>();
        config.put("quarkus.datasource.reactive.url", DeployedServer.databaseWithTwentyThings());
        config.put("quarkus.datasource.username", "postgres");
        for (int i = 0; i < FEEDS; i++) {
            String feed = "tidemark.feeds.things-" + i;
            config.put(feed + ".table", "things");
            config.put(feed + ".orders.newest", "id desc");
            config.put(feed + ".filters.id", "range");
        }
        server = DeployedServer.withConfigFile(config).awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aFeedAddsLittleToTheDocumentOfAllFeeds() throws Exception {
        String document = server.get("/q/openapi?format=json").body();
        assertThat(document).contains("/api/things-299");
        assertThat(document.length() / FEEDS).isLessThan(11_000);
    }

    @Test
    void theDocumentOfOneFeedHasExamples() throws Exception {
        assertThat(server.get("/q/openapi/things-299?format=json").body()).contains("\"items\":[{\"id\":\"9876\"}]");
    }
}
