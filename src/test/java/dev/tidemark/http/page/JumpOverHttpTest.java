package dev.tidemark.http.page;

import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jumps into a list. The letters 1 to 100 are listed newest first; up to four consecutive letters share a minute. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class JumpOverHttpTest {

    private static final String INSERT_TIDES = "INSERT INTO tides"
            + " SELECT i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute' FROM generate_series(%d, %d) i";

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    @BeforeEach
    void refillTheBulletins() {
        run("DELETE FROM bulletins");
        run("INSERT INTO bulletins SELECT i, 'old' FROM generate_series(1000, 1019) i");
    }

    @Test
    void aPageFromAValueStartsWithTheFirstItemAtOrBeyondIt() {
        JsonDocument page = Pages.read("/api/letters?limit=3&from=2026-01-01T00:10:30Z");
        assertThat(page.getList("items.id")).containsExactly("43", "42", "41");
        assertThat(page.getBoolean("has_prev")).isTrue();
        when().get("/api/letters?limit=2&cursor=" + page.getString("prev_cursor"))
                .then()
                .statusCode(200)
                .body("items.id", contains("45", "44"));
    }

    @Test
    void aPageAroundAValueShowsHalfOfItsItemsBeforeIt() {
        when().get("/api/letters?limit=5&around=2026-01-01T00:10:30Z")
                .then()
                .statusCode(200)
                .body("items.id", contains("45", "44", "43", "42", "41"));
    }

    @Test
    void aPageAroundAValueBeyondTheEndShowsTheLastItemEvenWithALimitOfOne() {
        when().get("/api/letters?limit=1&around=2000-01-01T00:00:00Z")
                .then()
                .statusCode(200)
                .body("items.id", contains("1"))
                .body("has_more", is(false))
                .body("has_prev", is(true));
    }

    @Test
    void aPageAroundAnItemNearAnEndIsFilledFromTheOtherSide() {
        when().get("/api/letters?limit=5&around_id=100")
                .then()
                .statusCode(200)
                .body("items.id", contains("100", "99", "98", "97", "96"));
        when().get("/api/letters?limit=5&around_id=1")
                .then()
                .statusCode(200)
                .body("items.id", contains("5", "4", "3", "2", "1"));
    }

    @Test
    void aPageFromAnItemStartsWithThatItem() {
        when().get("/api/letters?limit=2&from_id=50&order=oldest")
                .then()
                .statusCode(200)
                .body("items.id", contains("50", "51"));
    }

    @Test
    void aJumpBeyondTheEndGivesAnEmptyPageThatLeadsBack() {
        JsonDocument page = Pages.read("/api/letters?limit=2&from=2025-01-01T00:00:00Z");
        assertThat(page.getList("items")).isEmpty();
        assertThat(page.getBoolean("has_more")).isFalse();
        when().get("/api/letters?limit=2&cursor=" + page.getString("prev_cursor"))
                .then()
                .statusCode(200)
                .body("items.id", contains("2", "1"));
    }

    @Test
    void pagesUntilABookmarkFillTheHoleEvenIfItsRowWasDeleted() {
        String bookmark = Pages.read("/api/bulletins?limit=3&from_id=1010").getString("cursors.top");
        run("INSERT INTO bulletins SELECT i, 'new' FROM generate_series(900, 911) i");
        run("DELETE FROM bulletins WHERE id = 1010");

        List<Object> walked = new ArrayList<>();
        JsonDocument page = Pages.read("/api/bulletins?limit=5&until=" + bookmark);
        walked.addAll(page.getList("items.id"));
        while (page.getBoolean("has_more")) {
            page = Pages.read("/api/bulletins?limit=5&until=" + bookmark + "&cursor=" + page.getString("next_cursor"));
            walked.addAll(page.getList("items.id"));
        }
        assertThat(walked.toString())
                .isEqualTo(LongStream.concat(LongStream.rangeClosed(900, 911), LongStream.rangeClosed(1000, 1009))
                        .boxed()
                        .toList()
                        .toString());
        assertThat(page.getString("next_cursor")).isNull();
    }

    @Test
    void anEmptyRangeHasTheBookmarkOfItsEnd() {
        JsonDocument first = Pages.read("/api/bulletins?limit=3");
        when().get("/api/bulletins?limit=3&until=" + first.getString("cursors.top"))
                .then()
                .statusCode(200)
                .body("items", empty())
                .body("has_more", is(false))
                .body("cursors.top", is(first.getString("cursors.top")));
    }

    @Test
    void anExactCountCountsTheListUpToTheCap() {
        assertThat(Pages.read("/api/bulletins?limit=1&count=exact")
                        .getMap("count")
                        .toString())
                .isEqualTo("{value=15, relation=at_least}");
        assertThat(Pages.read("/api/bulletins?limit=1&count=exact&id.gte=1015")
                        .getMap("count")
                        .toString())
                .isEqualTo("{value=5, relation=exact}");
    }

    @Test
    void anEstimateIsAtLeastTheNumberOfItemsShown() {
        run("INSERT INTO bulletins SELECT i, 'new' FROM generate_series(1, 90) i");
        JsonDocument page = Pages.read("/api/bulletins?limit=100&count=estimate");
        assertThat(page.getInt("count.value")).isGreaterThanOrEqualTo(100);
        assertThat(page.getString("count.relation")).isEqualTo("estimate");
    }

    @Test
    void aKeyOfSeveralColumnsIsPassedAsOneValuePerColumn() {
        when().get("/api/twins?limit=1&from_id=1&from_id=y")
                .then()
                .statusCode(200)
                .body("items[0].b", is("y"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8})
    void pagesUntilABookmarkReportWhetherMoreItemsFollow(int limit) {
        run("TRUNCATE tides");
        run(INSERT_TIDES.formatted(1, 10));
        String bookmark = Pages.read("/api/tides?limit=4").getString("cursors.top");
        run(INSERT_TIDES.formatted(11, 17));
        String list = "/api/tides?limit=" + limit + "&until=" + bookmark;
        List<String> walked = new ArrayList<>();
        JsonDocument page = Pages.read(list);
        while (true) {
            List<String> items = page.getList("items.id");
            assertThat(items).isNotEmpty();
            walked.addAll(items);
            assertThat(page.getBoolean("has_more")).isEqualTo(walked.size() < 7);
            if (page.getString("next_cursor") == null) {
                break;
            }
            page = Pages.read(list + "&cursor=" + page.getString("next_cursor"));
        }
        assertThat(walked).containsExactly("17", "16", "15", "14", "13", "12", "11");
    }

    @Test
    void aCountIsSentOnlyIfRequestedAndIsTheLastMember() {
        assertThat(Pages.read("/api/notes?limit=1&count=exact").getMap("").keySet())
                .containsExactly(
                        "items", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "count");
        assertThat(Pages.read("/api/notes?limit=1").getMap("")).doesNotContainKey("count");
    }

    private void run(String sql) {
        pool.query(sql).execute().await().atMost(Duration.ofSeconds(9));
    }
}
