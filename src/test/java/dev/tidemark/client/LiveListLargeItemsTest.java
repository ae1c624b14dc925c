package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.http.TestServer;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A live list of items so large that a window holds few of them: of the bundles, three fit. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
@Timeout(60)
class LiveListLargeItemsTest {

    private static final ObjectMapper JACKSON = new ObjectMapper();

    @Test
    void aListOfLargeItemsLetsGoOfTheOtherEnd() {
        FeedList<JsonNode> bundles = TidemarkClient.of(TestServer.url("")).feed("bundles", JACKSON::readTree);
        long last = bundles.items()
                .map(LiveListLargeItemsTest::id)
                .reduce((one, next) -> next)
                .orElseThrow();
        try (LiveList<JsonNode> live =
                bundles.limit(2).live(LiveListLargeItemsTest::id).open()) {
            Await.until("the list has reached its end", () -> {
                live.loadMore().join();
                LiveState<JsonNode> state = live.state();
                int size = state.items().size();
                return size > 0 && id(state.values().get(size - 1)) == last && state.hasPrev() && !state.hasMore();
            });
            assertThat(live.state().error()).isEmpty();
        }
    }

    private static long id(JsonNode bundle) {
        return bundle.get("id").asLong();
    }
}
