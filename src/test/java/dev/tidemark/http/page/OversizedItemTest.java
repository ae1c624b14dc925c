package dev.tidemark.http.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An item that alone is larger than a page may be, 64 kB. The items 19 and 20 before it have a third of the bytes of a
 * page each.
 */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class OversizedItemTest {

    private static final String OVERSIZED = "[{key=100, columns=[body]}]";

    @BeforeEach
    void insert() {
        insert("insert into bundles values (100, 'label', repeat('y', 70000))");
    }

    private void insert(String sql) {
        FreshFeedsProfile.execute(sql);
    }

    @AfterEach
    void delete() {
        FreshFeedsProfile.execute("delete from bundles where id >= 100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"oldest", "unindexed"})
    void hasNullForItsLargestValue(String order) {
        JsonDocument page = Pages.read("/api/bundles?id.gte=19&order=" + order);
        assertThat(page.<Integer>getList("items.id")).containsExactlyInAnyOrder(19, 20, 100);
        assertThat(page.getList("items").toString()).contains("{id=100, label=label, body=null}");
        assertThat(page.getList("oversized").toString()).isEqualTo(OVERSIZED);
        assertThat(page.getBoolean("has_more")).isFalse();
    }

    @Test
    void hasNullOnAPageThatIsReadBackward() {
        String last = Pages.read("/api/bundles?from_id=100").getString("cursors.last");
        JsonDocument after = Pages.read("/api/bundles?limit=1&cursor=" + last);
        insert("insert into bundles values (101, 'l', repeat('z', 70001)), (102, 'l', repeat('z', 70001))");
        JsonDocument end = Pages.read("/api/bundles?from_id=102");
        JsonDocument page = Pages.read("/api/bundles?limit=3&cursor=" + end.getString("prev_cursor"));
        assertThat(after.getList("items")).isEmpty();
        assertThat(page.<Integer>getList("items.id")).containsExactly(20, 100, 101);
        assertThat(page.<Integer>getList("oversized.key")).containsExactly(100, 101);
    }

    @Test
    void hasNullOnAPageAroundIt() {
        JsonDocument page = Pages.read("/api/bundles?around_id=100&limit=3");
        assertThat(page.<Integer>getList("items.id")).containsExactly(19, 20, 100);
        assertThat(page.getList("oversized").toString()).isEqualTo(OVERSIZED);
    }

    @Test
    void hasNullUnderTheUniversalProtocol() {
        JsonDocument page = Pages.read("/v3/bundles?limit=5&id.gte=20");
        assertThat(page.<Integer>getList("result.rows.id")).containsExactly(20, 100);
        assertThat(page.getList("result.oversized").toString()).isEqualTo(OVERSIZED);
    }

    @Test
    void losesNoMoreValuesThanNeeded() {
        insert("insert into bundles values (101, repeat('l', 40000), repeat('b', 50000))");
        insert("insert into bundles values (102, repeat('l', 80000), repeat('b', 70000))");
        JsonDocument page = Pages.read("/api/bundles?id.gte=101");
        assertThat(page.getList("oversized").toString())
                .isEqualTo("[{key=101, columns=[body]}, {key=102, columns=[label, body]}]");
        assertThat(page.getString("items[0].label")).hasSize(40_000);
        assertThat(page.getString("items[1].label")).isNull();
    }

    @Test
    void isCompleteWithoutItsLargestColumn() {
        JsonDocument page = Pages.read("/api/bundles?id.gte=100&fields=id,label");
        assertThat(page.getList("items").toString()).isEqualTo("[{id=100, label=label}]");
        assertThat(page.getMap("")).doesNotContainKey("oversized");
    }

    @Test
    void isNotSupportedIfOnlyItsLargestColumnIsAskedFor() {
        RawResponse answer = RawRequest.get("/api/bundles?from_id=100&fields=body");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("\"not_supported\"", "more than 65536 bytes of body");
        assertThat(Pages.read("/api/bundles?id.gte=100&fields=body")
                        .getList("oversized")
                        .toString())
                .isEqualTo(OVERSIZED);
    }

    @Test
    void hasNullOnItsLineOfAnExport() {
        assertThat(given().accept("application/x-ndjson")
                        .get("/api/bundles?id.gte=100")
                        .asString()
                        .lines())
                .contains("{\"item\":{\"id\":100,\"label\":\"label\",\"body\":null},"
                        + "\"oversized\":[{\"key\":100,\"columns\":[\"body\"]}]}");
    }

    @Test
    void hasEmptyFieldsInCsv() {
        assertThat(given().accept("text/csv")
                        .get("/api/bundles?id.gte=100&fields=label,body,id")
                        .asString())
                .isEqualTo("label,body,id\r\nlabel,,100\r\n");
    }

    @Test
    void hasNullInEventsOfALiveWindow() {
        try (EventClient stream = EventClient.open("/api/bundles/live?id.gte=19")) {
            JsonDocument first = stream.nextEvent().json();
            assertThat(first.getList("oversized").toString()).isEqualTo(OVERSIZED);
            insert("update bundles set label = 'new' where id in (20, 100)");
            JsonDocument change = stream.nextEvent().json();
            assertThat(change.<Integer>getList("items.id")).containsExactly(20, 100);
            assertThat(change.getList("oversized").toString()).isEqualTo(OVERSIZED);
            insert("update bundles set body = 'short' where id = 100");
            JsonDocument repaired = stream.nextEvent().json();
            assertThat(repaired.getList("items").toString()).isEqualTo("[{id=100, label=new, body=short}]");
            assertThat(repaired.getMap("")).doesNotContainKey("oversized");
        } finally {
            insert("update bundles set label = '' where id = 20");
        }
    }
}
