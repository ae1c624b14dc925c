package dev.tidemark.http.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows whose items have more bytes than a page may have: of the bundles, three fit. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
@Timeout(60)
class LargeWindowTest {

    @Test
    void aWindowEndsEarlyAndAtTheSameItemAfterEachRead() {
        try (EventClient stream = EventClient.open("/api/bundles/live")) {
            WindowCopy copy = new WindowCopy("id").apply(stream.nextEvent(), true);
            assertHoldsFirstPage(copy);
            assertThat(copy.hasMore()).isTrue();
            FreshFeedsProfile.execute("update bundles set body = repeat('y', 20000) where id in (2, 4)");
            copy.apply(stream.nextEvent(), false);
            assertHoldsFirstPage(copy);
            FreshFeedsProfile.execute("update bundles set body = 'short' where id = 2");
            copy.apply(stream.nextEvent(), false);
            assertHoldsFirstPage(copy);
            assertThat(copy.keys()).hasSize(4);
            FreshFeedsProfile.execute("update bundles set body = repeat('y', 60000) where id = 3");
            copy.apply(stream.nextEvent(), false);
            assertHoldsFirstPage(copy);
            assertThat(copy.keys()).hasSize(2);
        } finally {
            FreshFeedsProfile.execute("update bundles set body = repeat('x', 20000) where id < 5");
        }
    }

    @Test
    void aStreamGoesOnIfAnItemBecomesLargerThanAPage() {
        try (EventClient stream = EventClient.open("/api/bundles/live?fields=id,body");
                EventClient small = EventClient.open("/api/bundles/live?fields=id,label")) {
            stream.nextEvent();
            small.nextEvent();
            FreshFeedsProfile.execute("update bundles set body = repeat('x', 70000), label = 'large' where id = 1");
            JsonDocument change = stream.nextEvent().json();
            assertThat(change.getList("items").toString()).contains("{id=1, body=null}");
            assertThat(change.getList("oversized").toString()).isEqualTo("[{key=1, columns=[body]}]");
            assertThat(small.nextEvent().json().getString("items[0].label")).isEqualTo("large");
        } finally {
            FreshFeedsProfile.execute("update bundles set body = repeat('x', 20000), label = 'Bundle 99' where id = 1");
        }
    }

    private static void assertHoldsFirstPage(WindowCopy copy) {
        assertThat(copy.keys())
                .hasToString(
                        Pages.read("/api/bundles?limit=20").getList("items.id").toString());
    }
}
