package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
public class FeedResourceTest {

    @Test
    void aPageHasExactlyTheMembersOfTheContract() {
        JsonDocument page = TestClient.page("/api/letters?limit=2");
        assertThat(page.getMap("").keySet())
                .containsExactly("items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit");
        assertThat(page.getMap("cursors").keySet()).containsExactly("top", "last");
    }

    @Test
    void theFirstPageHasTheFirstItemsInTheDefaultOrder() {
        JsonDocument page = TestClient.page("/api/letters?limit=2");
        assertThat(page.getList("items.id")).containsExactly("100", "99");
        assertThat(page.getBoolean("has_prev")).isFalse();
        assertThat(page.getString("prev_cursor")).isNull();
        assertThat(page.getBoolean("has_more")).isTrue();
        assertThat(page.getString("next_cursor")).isEqualTo(page.getString("cursors.last"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void aScrollShowsEveryItemOnceAndEnds(int limit) {
        assertThat(walk("/api/letters?limit=" + limit, "next_cursor")).isEqualTo(idsDownFrom(100, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void aScrollBackShowsTheSameItemsInTheSameOrder(int limit) {
        String end = "/api/letters?limit=" + limit + "&cursor=" + lastBookmark();
        List<String> back = new ArrayList<>();
        String cursor = TestClient.page(end).getString("prev_cursor");
        while (cursor != null) {
            JsonDocument page = TestClient.page("/api/letters?limit=" + limit + "&cursor=" + cursor);
            List<String> items = page.getList("items.id");
            back.addAll(0, items);
            cursor = page.getString("prev_cursor");
        }
        assertThat(back).isEqualTo(idsDownFrom(100, 1));
    }

    @Test
    void anEmptyPageKeepsItsPositionOnBothSides() {
        JsonDocument page = TestClient.page("/api/letters?cursor=" + lastBookmark());
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getString("next_cursor")).isNull();
        assertThat(TestClient.page("/api/letters?limit=1&cursor=" + page.getString("prev_cursor"))
                        .getList("items.id"))
                .containsExactly("1");
        assertThat(page.getString("cursors.last")).isNotNull();
    }

    @Test
    void anEmptyListHasNoBookmarks() {
        JsonDocument page = TestClient.page("/api/letters?id=4711");
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getString("cursors.top")).isNull();
        assertThat(page.getString("cursors.last")).isNull();
    }

    @Test
    void theSameRequestGivesTheSameBytes() {
        assertThat(TestClient.get("/api/letters?limit=20").body())
                .isEqualTo(TestClient.get("/api/letters?limit=20").body());
    }

    @Test
    void aLimitAboveTheMaximumIsLowered() {
        assertThat(TestClient.page("/api/letters?limit=" + "9".repeat(1_000)).getInt("limit"))
                .isEqualTo(100);
        assertThat(TestClient.page("/api/letters?limit=007").getInt("limit")).isEqualTo(7);
    }

    @Test
    void theDefaultLimitIs50OnDesktopsAnd30Otherwise() {
        assertThat(TestClient.page("/api/letters").getInt("limit")).isEqualTo(30);
        assertThat(TestClient.json("/api/letters", "Sec-CH-UA-Mobile", "?0").getInt("limit"))
                .isEqualTo(50);
        assertThat(TestClient.json("/api/letters", "Sec-CH-UA-Mobile", "?1").getInt("limit"))
                .isEqualTo(30);
    }

    @Test
    void fieldsSelectColumnsAndKeepTheCursorValid() {
        JsonDocument page = TestClient.page("/api/letters?limit=1&fields=subject,id");
        assertThat(page.getMap("items[0]").keySet()).containsExactly("id", "subject");
        assertThat(TestClient.page("/api/letters?limit=1&cursor=" + page.getString("next_cursor"))
                        .getMap("items[0]"))
                .containsKeys("id", "sent_at", "status");
    }

    @Test
    void aNamedOrderReplacesTheDefaultOrder() {
        assertThat(TestClient.page("/api/letters?order=oldest&limit=3").getList("items.id"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void aFilterMatchesAnyOfSeveralValues() {
        assertThat(TestClient.page("/api/letters?id=5&id=7&id=5").getList("items.id"))
                .containsExactly("7", "5");
        assertThat(TestClient.page("/api/letters?status=very%20happy&status=sad&limit=100")
                        .getList("items.status"))
                .doesNotContain("ok")
                .contains("sad", "very happy");
    }

    @Test
    void rangesTextAndNullsCanBeFiltered() {
        assertThat(TestClient.page("/api/letters?id.gt=97&id.lte=99").getList("items.id"))
                .containsExactly("99", "98");
        assertThat(TestClient.page("/api/letters?sent_at.gte=2026-01-01T00:25:00Z")
                        .getList("items.id"))
                .containsExactly("100");
        assertThat(TestClient.page("/api/letters?subject.prefix=Letter+10").getList("items.id"))
                .containsExactly("100", "10");
        assertThat(TestClient.page("/api/letters?subject.prefix=letter+10").getList("items.id"))
                .isEmpty();
        assertThat(TestClient.page("/api/letters?subject.contains=TER+99").getList("items.id"))
                .containsExactly("99");
        assertThat(TestClient.page("/api/letters?subject.contains=%25").getList("items.id"))
                .isEmpty();
        assertThat(TestClient.page("/api/letters?urgent.is=null&limit=100").getList("items.urgent"))
                .containsOnlyNulls();
    }

    @Test
    void aValueOfAnItemIsAValidFilter() {
        String sentAt = TestClient.page("/api/letters?limit=1").getString("items[0].sent_at");
        assertThat(TestClient.page("/api/letters?sent_at.gte=" + sentAt).getList("items.id"))
                .containsExactly("100");
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() {
        HttpResponse<byte[]> get = TestClient.get("/api/letters?limit=3");
        HttpResponse<byte[]> head = TestClient.head("/api/letters?limit=3");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(TestClient.header(head, "Content-Length")).isEqualTo(TestClient.header(get, "Content-Length"));
        assertThat(TestClient.header(head, "Content-Type")).isEqualTo(TestClient.header(get, "Content-Type"));
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aTrailingSlashNamesTheSameResource() {
        assertThat(TestClient.get("/api/letters/?limit=3").body())
                .isEqualTo(TestClient.get("/api/letters?limit=3").body());
        assertThat(TestClient.get("/api/").body())
                .isEqualTo(TestClient.get("/api").body());
    }

    private static String lastBookmark() {
        String cursor = TestClient.page("/api/letters?limit=100").getString("cursors.last");
        return cursor;
    }

    private static List<String> walk(String first, String cursorMember) {
        List<String> seen = new ArrayList<>();
        JsonDocument page = TestClient.page(first);
        while (true) {
            seen.addAll(page.getList("items.id"));
            String cursor = page.getString(cursorMember);
            assertThat(cursor != null).isEqualTo(page.getBoolean("has_more"));
            if (cursor == null) {
                return seen;
            }
            page = TestClient.page(first + "&cursor=" + cursor);
        }
    }

    private static List<String> idsDownFrom(long high, long low) {
        List<String> ids = new ArrayList<>(
                LongStream.rangeClosed(low, high).mapToObj(Long::toString).toList());
        Collections.reverse(ids);
        return ids;
    }
}
