package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.both;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
public class FeedResourceTest {

    @Test
    void aPageHasExactlyTheMembersOfTheContract() {
        JsonDocument page = Pages.read("/api/letters?limit=2");
        assertThat(page.getMap("").keySet())
                .containsExactly("items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit");
        assertThat(page.getMap("cursors").keySet()).containsExactly("top", "last");
    }

    @Test
    void theFirstPageHasTheFirstItemsInTheDefaultOrder() {
        Response page = when().get("/api/letters?limit=2");
        page.then()
                .statusCode(200)
                .body("items.id", contains("100", "99"))
                .body("has_prev", is(false))
                .body("prev_cursor", nullValue())
                .body("has_more", is(true))
                .body("next_cursor", equalTo(page.path("cursors.last")));
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
        String cursor = Pages.read(end).getString("prev_cursor");
        while (cursor != null) {
            JsonDocument page = Pages.read("/api/letters?limit=" + limit + "&cursor=" + cursor);
            List<String> items = page.getList("items.id");
            back.addAll(0, items);
            cursor = page.getString("prev_cursor");
        }
        assertThat(back).isEqualTo(idsDownFrom(100, 1));
    }

    @Test
    void anEmptyPageKeepsItsPositionOnBothSides() {
        JsonDocument page = Pages.read("/api/letters?cursor=" + lastBookmark());
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getString("next_cursor")).isNull();
        assertThat(Pages.read("/api/letters?limit=1&cursor=" + page.getString("prev_cursor"))
                        .getList("items.id"))
                .containsExactly("1");
        assertThat(page.getString("cursors.last")).isNotNull();
    }

    @Test
    void anEmptyListHasNoBookmarks() {
        when().get("/api/letters?id=4711")
                .then()
                .statusCode(200)
                .body("items", empty())
                .body("cursors.top", nullValue())
                .body("cursors.last", nullValue());
    }

    @Test
    void theSameRequestGivesTheSameBytes() {
        assertThat(get("/api/letters?limit=20").asByteArray())
                .isEqualTo(get("/api/letters?limit=20").asByteArray());
    }

    @Test
    void aLimitAboveTheMaximumIsLowered() {
        given().queryParam("limit", "9".repeat(1_000))
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .body("limit", is(100));
        when().get("/api/letters?limit=007").then().statusCode(200).body("limit", is(7));
    }

    @Test
    void theDefaultLimitIs50OnDesktopsAnd30Otherwise() {
        when().get("/api/letters").then().statusCode(200).body("limit", is(30));
        given().header("Sec-CH-UA-Mobile", "?0")
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .body("limit", is(50));
        given().header("Sec-CH-UA-Mobile", "?1")
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .body("limit", is(30));
    }

    @Test
    void fieldsSelectColumnsAndKeepTheCursorValid() {
        JsonDocument page = Pages.read("/api/letters?limit=1&fields=subject,id");
        assertThat(page.getMap("items[0]").keySet()).containsExactly("id", "subject");
        assertThat(Pages.read("/api/letters?limit=1&cursor=" + page.getString("next_cursor"))
                        .getMap("items[0]"))
                .containsKeys("id", "sent_at", "status");
    }

    @Test
    void aNamedOrderReplacesTheDefaultOrder() {
        when().get("/api/letters?order=oldest&limit=3")
                .then()
                .statusCode(200)
                .body("items.id", contains("1", "2", "3"));
    }

    @Test
    void aFilterMatchesAnyOfSeveralValues() {
        given().queryParam("id", 5, 7, 5)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .body("items.id", contains("7", "5"));
        when().get("/api/letters?status=very%20happy&status=sad&limit=100")
                .then()
                .statusCode(200)
                .body("items.status", not(hasItem("ok")))
                .body("items.status", hasItems("sad", "very happy"));
    }

    @ParameterizedTest
    @CsvSource({
        "id.gt=97&id.lte=99, 99 98",
        "sent_at.gte=2026-01-01T00:25:00Z, 100",
        "subject.prefix=Letter+10, 100 10",
        "subject.prefix=letter+10, ''",
        "subject.contains=TER+99, 99",
        "subject.contains=%25, ''"
    })
    void rangesAndTextCanBeFiltered(String filter, String ids) {
        assertThat(String.join(" ", Pages.read("/api/letters?" + filter).getList("items.id", String.class)))
                .isEqualTo(ids);
    }

    @Test
    void nullsCanBeFiltered() {
        when().get("/api/letters?urgent.is=null&limit=100")
                .then()
                .statusCode(200)
                .body("items.urgent", both(not(empty())).and(everyItem(nullValue())));
    }

    @Test
    void aValueOfAnItemIsAValidFilter() {
        String sentAt = Pages.read("/api/letters?limit=1").getString("items[0].sent_at");
        given().queryParam("sent_at.gte", sentAt)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .body("items.id", contains("100"));
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() {
        Response get = get("/api/letters?limit=3");
        when().head("/api/letters?limit=3")
                .then()
                .statusCode(200)
                .header("Content-Length", get.header("Content-Length"))
                .header("Content-Type", get.header("Content-Type"))
                .body(emptyString());
    }

    @Test
    void aTrailingSlashNamesTheSameResource() {
        assertThat(get("/api/letters/?limit=3").asByteArray())
                .isEqualTo(get("/api/letters?limit=3").asByteArray());
        assertThat(get("/api/").asByteArray()).isEqualTo(get("/api").asByteArray());
    }

    private static String lastBookmark() {
        String cursor = Pages.read("/api/letters?limit=100").getString("cursors.last");
        return cursor;
    }

    private static List<String> walk(String first, String cursorMember) {
        List<String> seen = new ArrayList<>();
        JsonDocument page = Pages.read(first);
        while (true) {
            seen.addAll(page.getList("items.id"));
            String cursor = page.getString(cursorMember);
            assertThat(cursor != null).isEqualTo(page.getBoolean("has_more"));
            if (cursor == null) {
                return seen;
            }
            page = Pages.read(first + "&cursor=" + cursor);
        }
    }

    private static List<String> idsDownFrom(long high, long low) {
        List<String> ids = new ArrayList<>(
                LongStream.rangeClosed(low, high).mapToObj(Long::toString).toList());
        Collections.reverse(ids);
        return ids;
    }
}
