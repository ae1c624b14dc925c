package dev.tidemark.http.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
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
        JsonPath page = page("/api/letters?limit=2");
        assertThat(page.getMap("").keySet())
                .containsExactly("items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit");
        assertThat(page.getMap("cursors").keySet()).containsExactly("top", "last");
    }

    @Test
    void theFirstPageStartsTheDefaultOrder() {
        JsonPath page = page("/api/letters?limit=2");
        assertThat(page.getList("items.id")).containsExactly("100", "99");
        assertThat(page.getBoolean("has_prev")).isFalse();
        assertThat(page.getString("prev_cursor")).isNull();
        assertThat(page.getBoolean("has_more")).isTrue();
        assertThat(page.getString("next_cursor")).isEqualTo(page.getString("cursors.last"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void aScrollShowsEveryItemOnceAndEnds(int limit) {
        assertThat(walk("/api/letters?limit=" + limit, "next_cursor")).isEqualTo(idsFrom(100, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void aScrollBackShowsTheSameItemsInTheSameOrder(int limit) {
        String end = "/api/letters?limit=" + limit + "&cursor=" + lastBookmark();
        List<String> back = new ArrayList<>();
        String cursor = page(end).getString("prev_cursor");
        while (cursor != null) {
            JsonPath page = page("/api/letters?limit=" + limit + "&cursor=" + cursor);
            List<String> items = page.getList("items.id");
            back.addAll(0, items);
            cursor = page.getString("prev_cursor");
        }
        assertThat(back).isEqualTo(idsFrom(100, 1));
    }

    @Test
    void anEmptyPageKeepsItsPositionOnBothSides() {
        JsonPath page = page("/api/letters?cursor=" + lastBookmark());
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getString("next_cursor")).isNull();
        assertThat(page("/api/letters?limit=1&cursor=" + page.getString("prev_cursor"))
                        .getList("items.id"))
                .containsExactly("1");
        assertThat(page.getString("cursors.last")).isNotNull();
    }

    @Test
    void anEmptyListHasNoBookmarks() {
        JsonPath page = page("/api/letters?id=4711");
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getString("cursors.top")).isNull();
        assertThat(page.getString("cursors.last")).isNull();
    }

    @Test
    void theSameRequestGivesTheSameBytes() {
        assertThat(get("/api/letters?limit=20").asByteArray())
                .isEqualTo(get("/api/letters?limit=20").asByteArray());
    }

    @Test
    void aLimitAboveTheMaximumIsLowered() {
        assertThat(page("/api/letters?limit=" + "9".repeat(1_000)).getInt("limit"))
                .isEqualTo(100);
        assertThat(page("/api/letters?limit=007").getInt("limit")).isEqualTo(7);
    }

    @Test
    void theDefaultLimitIs50OnDesktopsAnd30Otherwise() {
        assertThat(page("/api/letters").getInt("limit")).isEqualTo(30);
        assertThat(given().header("Sec-CH-UA-Mobile", "?0")
                        .get("/api/letters")
                        .jsonPath()
                        .getInt("limit"))
                .isEqualTo(50);
        assertThat(given().header("Sec-CH-UA-Mobile", "?1")
                        .get("/api/letters")
                        .jsonPath()
                        .getInt("limit"))
                .isEqualTo(30);
    }

    @Test
    void fieldsSelectColumnsAndKeepTheCursorValid() {
        JsonPath page = page("/api/letters?limit=1&fields=subject,id");
        assertThat(page.getMap("items[0]").keySet()).containsExactly("id", "subject");
        assertThat(page("/api/letters?limit=1&cursor=" + page.getString("next_cursor"))
                        .getMap("items[0]"))
                .containsKeys("id", "sent_at", "status");
    }

    @Test
    void aNamedOrderReplacesTheDefaultOrder() {
        assertThat(page("/api/letters?order=oldest&limit=3").getList("items.id"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void aFilterMatchesAnyOfSeveralValues() {
        assertThat(page("/api/letters?id=5&id=7&id=5").getList("items.id")).containsExactly("7", "5");
        assertThat(page("/api/letters?status=very%20happy&status=sad&limit=100").getList("items.status"))
                .doesNotContain("ok")
                .contains("sad", "very happy");
    }

    @Test
    void rangesTextAndNullsCanBeFiltered() {
        assertThat(page("/api/letters?id.gt=97&id.lte=99").getList("items.id")).containsExactly("99", "98");
        assertThat(page("/api/letters?sent_at.gte=2026-01-01T00:25:00Z").getList("items.id"))
                .containsExactly("100");
        assertThat(page("/api/letters?subject.prefix=Letter+10").getList("items.id"))
                .containsExactly("100", "10");
        assertThat(page("/api/letters?subject.prefix=letter+10").getList("items.id"))
                .isEmpty();
        assertThat(page("/api/letters?subject.contains=TER+99").getList("items.id"))
                .containsExactly("99");
        assertThat(page("/api/letters?subject.contains=%25").getList("items.id"))
                .isEmpty();
        assertThat(page("/api/letters?urgent.is=null&limit=100").getList("items.urgent"))
                .containsOnlyNulls();
    }

    @Test
    void aValueOfAnItemIsAValidFilter() {
        String sentAt = page("/api/letters?limit=1").getString("items[0].sent_at");
        assertThat(page("/api/letters?sent_at.gte=" + sentAt).getList("items.id"))
                .containsExactly("100");
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() {
        Response get = get("/api/letters?limit=3");
        Response head = given().head("/api/letters?limit=3");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
        assertThat(head.contentType()).isEqualTo(get.contentType());
        assertThat(head.asByteArray()).isEmpty();
    }

    @Test
    void aTrailingSlashNamesTheSameResource() {
        assertThat(get("/api/letters/?limit=3").asByteArray())
                .isEqualTo(get("/api/letters?limit=3").asByteArray());
        assertThat(get("/api/").asByteArray()).isEqualTo(get("/api").asByteArray());
    }

    private static String lastBookmark() {
        String cursor = page("/api/letters?limit=100").getString("cursors.last");
        return cursor;
    }

    private static List<String> walk(String first, String way) {
        List<String> seen = new ArrayList<>();
        JsonPath page = page(first);
        while (true) {
            seen.addAll(page.getList("items.id"));
            String cursor = page.getString(way);
            assertThat(cursor != null).isEqualTo(page.getBoolean("has_more"));
            if (cursor == null) {
                return seen;
            }
            page = page(first + "&cursor=" + cursor);
        }
    }

    private static List<String> idsFrom(long high, long low) {
        List<String> ids = new ArrayList<>(
                LongStream.rangeClosed(low, high).mapToObj(Long::toString).toList());
        Collections.reverse(ids);
        return ids;
    }

    private static Response get(String url) {
        return given().urlEncodingEnabled(false).get(url);
    }

    public static JsonPath page(String url) {
        Response response = get(url);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response.jsonPath();
    }
}
