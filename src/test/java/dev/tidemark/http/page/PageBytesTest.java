package dev.tidemark.http.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.inbox.ChangeableInboxProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages whose items have more bytes than a page may have. An index serves only one of the orders. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class PageBytesTest {

    private static final int MAX_BYTES = 64 * 1024;

    private static final List<Integer> ALL =
            IntStream.rangeClosed(1, 20).boxed().toList();

    private static JsonDocument page(String target) {
        RawResponse answer = RawRequest.get(target);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body().length()).isLessThan(MAX_BYTES + 2_000);
        return JsonDocument.of(answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"oldest", "unindexed"})
    void aScrollInBothDirectionsReturnsEachItemOnce(String order) {
        String list = "/api/bundles?limit=8&order=" + order;
        List<Integer> forward = new ArrayList<>();
        JsonDocument page = page(list);
        forward.addAll(page.getList("items.id", Integer.class));
        assertThat(forward).hasSize(3);
        assertThat(page.getInt("limit")).isEqualTo(8);
        while (page.getBoolean("has_more")) {
            page = page(list + "&cursor=" + page.getString("next_cursor"));
            assertThat(page.getBoolean("has_prev")).isTrue();
            forward.addAll(page.getList("items.id", Integer.class));
        }
        assertThat(forward).isEqualTo(ALL);

        List<Integer> backward = new ArrayList<>(reversed(page.getList("items.id", Integer.class)));
        while (page.getBoolean("has_prev")) {
            page = page(list + "&cursor=" + page.getString("prev_cursor"));
            assertThat(page.getBoolean("has_more")).isTrue();
            backward.addAll(reversed(page.getList("items.id", Integer.class)));
        }
        assertThat(reversed(backward)).isEqualTo(ALL);
    }

    private static List<Integer> reversed(List<Integer> list) {
        List<Integer> copy = new ArrayList<>(list);
        Collections.reverse(copy);
        return copy;
    }

    @ParameterizedTest
    @CsvSource({"bundles, oldest", "bundles, unindexed", "bundles-by-offset, oldest"})
    void aScrollUnderTheUniversalProtocolReturnsEachItemOnce(String feed, String order) {
        String list = "/v3/" + feed + "?limit=8&order=" + order;
        List<Integer> forward = new ArrayList<>();
        JsonDocument page = page(list);
        forward.addAll(page.getList("result.rows.id", Integer.class));
        while (page.getString("result.paging.next") != null) {
            page = page(list + "&after=" + page.getString("result.paging.next"));
            forward.addAll(page.getList("result.rows.id", Integer.class));
        }
        assertThat(forward).isEqualTo(ALL);

        List<Integer> backward = new ArrayList<>(reversed(page.getList("result.rows.id", Integer.class)));
        while (page.getString("result.paging.previous") != null) {
            page = page(list + "&before=" + page.getString("result.paging.previous"));
            backward.addAll(reversed(page.getList("result.rows.id", Integer.class)));
        }
        assertThat(reversed(backward)).isEqualTo(ALL);
    }

    @ParameterizedTest
    @CsvSource({"10, 8", "10, 2", "1, 8", "20, 8"})
    void aPageAroundAnItemHasTheItemsNearestToIt(int id, int limit) {
        JsonDocument page = page("/api/bundles?around_id=" + id + "&limit=" + limit);
        List<Integer> ids = page.getList("items.id", Integer.class);
        assertThat(ids)
                .contains(id)
                .hasSize(Math.min(limit, 3))
                .isEqualTo(ALL.subList(ids.get(0) - 1, ids.get(0) - 1 + ids.size()));
        assertThat(page.getBoolean("has_prev")).isEqualTo(ids.get(0) > 1);
        assertThat(page.getBoolean("has_more")).isEqualTo(ids.get(ids.size() - 1) < 20);
        if (page.getBoolean("has_more")) {
            assertThat(page("/api/bundles?limit=1&cursor=" + page.getString("next_cursor"))
                            .getInt("items[0].id"))
                    .isEqualTo(ids.get(ids.size() - 1) + 1);
        }
    }

    @Test
    void aRefreshEndsBeforeTheFirstChangedItemThatDoesNotFit() {
        String moment = page("/api/bundles?limit=1").getString("moment");
        JsonDocument unchanged = page("/api/bundles?limit=100&since=" + moment);
        assertThat(unchanged.<Integer>getList("keys")).isEqualTo(ALL);
        assertThat(unchanged.getBoolean("has_more")).isFalse();

        FreshFeedsProfile.execute("update bundles set label = label where id > 5");
        JsonDocument changed = page("/api/bundles?limit=100&since=" + moment);
        assertThat(changed.<Integer>getList("keys")).isEqualTo(ALL.subList(0, 8));
        assertThat(changed.<Integer>getList("items.id")).containsExactly(6, 7, 8);
        assertThat(page("/api/bundles?limit=1&cursor=" + changed.getString("next_cursor"))
                        .getInt("items[0].id"))
                .isEqualTo(9);
    }

    @Test
    void anExportReadsNoMoreAtATime() {
        List<String> lines = given().accept("application/x-ndjson")
                .when()
                .get("/api/bundles")
                .asString()
                .lines()
                .toList();
        assertThat(lines.stream().filter(line -> line.startsWith("{\"item\"")).map(line -> JsonDocument.of(line)
                        .getInt("item.id")))
                .isEqualTo(ALL);
        assertThat(lines.stream().filter(line -> line.startsWith("{\"cursor\"")))
                .hasSize(6);
        assertThat(lines.get(lines.size() - 1)).startsWith("{\"end\":{\"items\":20,");
    }
}
