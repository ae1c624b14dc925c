package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class FeedListingTest {

    @Test
    void theFeedsAreListedByName() {
        assertThat(Pages.read("/api").getList("feeds.name", String.class))
                .contains("essays", "letters", "specimens")
                .isSorted();
    }

    @Test
    void aFeedListsItsOrdersAndCounts() {
        Map<String, Object> letters = Pages.read("/api").getMap("feeds[name=letters]");
        assertThat(letters)
                .containsOnlyKeys("name", "orders", "filters", "columns", "limit", "universal", "count", "counts")
                .containsEntry("limit", Map.of("default", 30, "web_default", 50, "max", 100))
                .containsEntry("universal", Map.of("strategy", "cursor", "backward", true))
                .containsEntry("count", "none")
                .containsEntry("counts", List.of("status", "urgent", "id"))
                .containsEntry(
                        "orders",
                        List.of(
                                Map.of("name", "newest", "by", "sent_at desc, id desc", "default", true, "live", false),
                                Map.of("name", "oldest", "by", "sent_at, id", "default", false, "live", false)));
    }

    @Test
    void aFeedNamesItsStrategyAndProtocols() {
        assertThat(universal("letters-by-offset")).isEqualTo(Map.of("strategy", "offset", "backward", true));
        assertThat(universal("onward")).isEqualTo(Map.of("strategy", "cursor", "backward", false));
        assertThat(universal("ranking")).isEqualTo(Map.of("strategy", "offset", "backward", true, "only", true));
        assertThat(Pages.read("/api").getString("feeds[name=ranking].orders[0].by"))
                .isEqualTo("place, player, points");
    }

    private static Map<String, Object> universal(String feed) {
        return Pages.read("/api").getMap("feeds[name=" + feed + "].universal");
    }

    @Test
    void aFilterListsItsOperators() {
        assertThat(Pages.read("/api").getMap("feeds[name=letters].filters[column=id]"))
                .isEqualTo(Map.of(
                        "column", "id", "type", "bigint", "operators", List.of("eq", "gte", "gt", "lte", "lt", "is")));
    }

    @Test
    void aColumnNamesItsType() {
        assertThat(Pages.read("/api").getMap("feeds[name=letters].columns[1]"))
                .isEqualTo(Map.of("name", "sent_at", "type", "timestamp with time zone", "nullable", false));
    }
}
