package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.live.OpenLiveStreams;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kept list of items so large that a window holds few of them: of the bundles, three fit. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
@Timeout(60)
class KeptListLargeItemsTest {

    private static final ObjectMapper JACKSON = new ObjectMapper();

    @Test
    void aFollowedListHoldsTheItemsThatFitAndReadsTheNextOnes() {
        FeedList<JsonNode> bundles = TidemarkClient.of(TestServer.url("")).feed("bundles", JACKSON::readTree);
        List<JsonNode> all = bundles.items().toList();
        KeptList<JsonNode> list =
                bundles.limit(2).keep(bundle -> bundle.get("id").asText());
        list.refresh();
        while (list.hasMore()) {
            list.loadMore();
        }
        assertThat(list.items()).isEqualTo(all);
        try (Follower<JsonNode> follower = new Follower<>(list)) {
            follower.await(items -> !items.isEmpty() && items.size() < all.size());
            assertThat(all).startsWith(list.items().toArray(JsonNode[]::new));
            assertThat(list.hasMore()).isTrue();
        }
        int fitting = list.items().size();
        list.loadMore();
        assertThat(list.items()).hasSizeGreaterThan(fitting);
        assertThat(all).startsWith(list.items().toArray(JsonNode[]::new));
        OpenLiveStreams.awaitNone();
    }
}
