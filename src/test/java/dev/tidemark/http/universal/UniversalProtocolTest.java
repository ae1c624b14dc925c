package dev.tidemark.http.universal;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.universal.UniversalClient.Page;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameters and the response of the universal protocol, as the contract describes them. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class UniversalProtocolTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    /** Fills the table with 100 rows. The list shows the greatest id first. */
    @BeforeEach
    void fill() {
        run("truncate shoals");
        run("insert into shoals select i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 second'"
                + " from generate_series(1, 100) as i");
    }

    @Test
    void aResponseHasExactlyTheMembersOfTheContract() {
        assertThat(body("/v3/notes-by-offset?limit=1&kind=rare"))
                .isEqualTo(
                        "{\"code\":0,\"result\":{\"rows\":[{\"id\":\"30\",\"at\":\"2026-01-01T00:30:00Z\",\"kind\":\"rare\"}],"
                                + "\"paging\":{\"cursors\":{\"top\":\"1\",\"last\":\"1\"},\"previous\":null,\"next\":\"1\",\"count\":5}}}");
        assertThat(body("/v3/letters?limit=5&id=4711"))
                .isEqualTo("{\"code\":0,\"result\":{\"rows\":[],"
                        + "\"paging\":{\"cursors\":{\"top\":null,\"last\":null},\"previous\":null,\"next\":null}}}");
    }

    @Test
    void offsetTokensNumberTheRowsFrom1() {
        UniversalClient client = client("shoals-by-offset", 3);
        assertThat(client.first())
                .isEqualTo(page(client.first(), "1", "3", null, "3"))
                .extracting(page -> page.values("id"))
                .isEqualTo(List.of("100", "99", "98"));
        assertThat(client.after("0")).isEqualTo(client.first());
        assertThat(client.after("19").values("id")).containsExactly("81", "80", "79");
        assertThat(client.after("19")).isEqualTo(page(client.after("19"), "20", "22", "20", "22"));
        assertThat(client.before("20").values("id")).containsExactly("84", "83", "82");
        assertThat(client.before("20")).isEqualTo(page(client.before("20"), "17", "19", "17", "19"));
        assertThat(client.before("0")).isEqualTo(page(client.before("1"), null, null, null, "0"));
        assertThat(client.before("3").values("id")).containsExactly("100", "99");
        assertThat(client.before("3")).isEqualTo(page(client.before("3"), "1", "2", null, "2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shoals", "shoals-by-offset"})
    void theRowOfATokenIsExcludedInBothDirections(String feed) {
        UniversalClient client = client(feed, 5);
        String token = client.after(client.first().last().orElseThrow()).top().orElseThrow();
        assertThat(client.after(token).values("id")).containsExactly("94", "93", "92", "91", "90");
        assertThat(client.before(token).values("id")).containsExactly("100", "99", "98", "97", "96");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shoals", "shoals-by-offset"})
    void aPageBeforeTheFirstRowIsEmptyAndHasANextPage(String feed) {
        UniversalClient client = client(feed, 5);
        Page nothing = client.before(client.first().top().orElseThrow());
        assertThat(nothing.rows()).isEmpty();
        assertThat(nothing.previous()).isEmpty();
        assertThat(client.after(nothing.next().orElseThrow()).values("id")).startsWith("100", "99");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shoals", "shoals-by-offset"})
    void aLimitOfZeroReturnsTheCountAndTheTokensForBothSides(String feed) {
        UniversalClient zeroLimitClient = client(feed, 0);
        UniversalClient client = client(feed, 5);
        Page start = zeroLimitClient.first();
        assertThat(start.rows()).isEmpty();
        assertThat(start.count()).contains(100L);
        assertThat(start.previous()).isEmpty();
        assertThat(client.after(start.next().orElseThrow()).values("id"))
                .containsExactly("100", "99", "98", "97", "96");

        Page first = client.first();
        Page behind = zeroLimitClient.after(first.last().orElseThrow());
        assertThat(behind.rows()).isEmpty();
        assertThat(client.after(behind.next().orElseThrow()).values("id"))
                .containsExactly("95", "94", "93", "92", "91");
        assertThat(client.before(behind.previous().orElseThrow()).values("id"))
                .containsExactly("100", "99", "98", "97", "96");

        Page ahead = zeroLimitClient.before(first.last().orElseThrow());
        assertThat(client.after(ahead.next().orElseThrow()).values("id")).startsWith("96", "95");
        assertThat(client.before(ahead.previous().orElseThrow()).values("id")).containsExactly("100", "99", "98", "97");

        String end = client(feed, 100).first().last().orElseThrow();
        assertThat(zeroLimitClient.after(end).next()).isEmpty();
        assertThat(client.before(zeroLimitClient.after(end).previous().orElseThrow())
                        .values("id"))
                .endsWith("2", "1");
        assertThat(zeroLimitClient.before(first.top().orElseThrow()).previous()).isEmpty();
        assertThat(zeroLimitClient.before(first.top().orElseThrow()).next()).isPresent();
        assertThat(zeroLimitClient.before(end).next()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shoals", "shoals-by-offset"})
    void aLimitOfZeroOnAnEmptyListReturnsNoTokens(String feed) {
        String end = client(feed, 100).first().last().orElseThrow();
        run("delete from shoals");
        for (Page nothing : List.of(
                client(feed, 0).first(),
                client(feed, 0).after(end),
                client(feed, 0).before(end))) {
            assertThat(nothing).isEqualTo(page(nothing, null, null, null, null));
            assertThat(nothing.count()).contains(0L);
        }
    }

    /** The list shrinks from 100 to 40 rows. */
    @ParameterizedTest
    @ValueSource(strings = {"shoals", "shoals-by-offset"})
    void aPageBeyondTheEndOfAShrunkenListLeadsBackToTheLastRows(String feed) {
        UniversalClient client = client(feed, 5);
        String end = client(feed, 100).first().last().orElseThrow();
        run("delete from shoals where id <= 60");
        Page behind = client.after(end);
        assertThat(behind.rows()).isEmpty();
        assertThat(behind.next()).isEmpty();
        assertThat(client.before(behind.previous().orElseThrow()).values("id"))
                .containsExactly("65", "64", "63", "62", "61");
        Page back = client.before(end);
        assertThat(back.values("id")).containsExactly("65", "64", "63", "62", "61");
        assertThat(back.next()).isEmpty();
        assertThat(client.before(back.previous().orElseThrow()).values("id")).startsWith("70", "69");
        run("delete from shoals");
        assertThat(client.after(end)).isEqualTo(page(behind, null, null, null, null, 0));
        assertThat(client.before(end)).isEqualTo(page(behind, null, null, null, null, 0));
    }

    /** All rows before the position of the token were deleted; the rows after it still exist. */
    @Test
    void anEmptyPageCanHaveANextPage() {
        UniversalClient client = client("shoals", 5);
        String token = client.first().last().orElseThrow();
        run("delete from shoals where id >= 96");
        Page empty = client.before(token);
        assertThat(empty.rows()).isEmpty();
        assertThat(empty.previous()).isEmpty();
        assertThat(client.after(empty.next().orElseThrow()).values("id")).startsWith("95", "94");
    }

    @Test
    void aScrollKeepsTheStrategyThatItStartedWith() {
        UniversalClient cursors = client("shoals", 5);
        assertThat(cursors.after("10")).isEqualTo(client("shoals-by-offset", 5).after("10"));
        assertThat(cursors.first().next().orElseThrow()).doesNotContainPattern("^[0-9]+$");
        String sealed = sealedToken();
        Page page = client("shoals-by-offset", 5).after(sealed);
        assertThat(page.values("id")).containsExactly("95", "94", "93", "92", "91");
        assertThat(page.next().orElseThrow()).startsWith("A");
    }

    /** A token that the feed {@code shoals-by-offset} would seal if its strategy were {@code cursor}. */
    private String sealedToken() {
        return Pages.read("/api/shoals-by-offset?limit=5").getString("next_cursor");
    }

    @Test
    void theLimitIsLoweredToTheMaximum() {
        assertThat(client("letters", 5_000).first().rows()).hasSize(100);
    }

    @Test
    void filtersAndOrderApply() {
        UniversalClient client = new UniversalClient(url("shoals") + "order=edited&id.gt=10&id.lte=12&", 5);
        assertThat(client.first().values("id")).containsExactly("11", "12");
        assertThat(client.first().count()).contains(2L);
    }

    @Test
    void theCountIsLeftOutIfItIsNotATotal() {
        assertThat(client("shoals", 1).first().count()).contains(100L);
        run("insert into shoals select i, now() from generate_series(101, 150) as i");
        assertThat(client("shoals", 0).first().count()).contains(150L);
        run("insert into shoals values (151, now())");
        assertThat(client("shoals", 0).first().count()).as("past the cap").isEmpty();
        assertThat(client("letters", 1).first().count())
                .as("a feed without a count")
                .isEmpty();
    }

    @Test
    void aForwardOnlyFeedHasNoPrevious() {
        UniversalClient client = client("onward", 30);
        List<Page> pages = client.pagesFrom(client.first());
        assertThat(UniversalClient.rows(pages)).hasSize(100);
        assertThat(pages).allMatch(page -> page.previous().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"letters", "letters-by-offset", "ranking"})
    void aTrailingSlashNamesTheSameResource(String feed) {
        assertThat(body("/v3/" + feed + "/?limit=3")).isEqualTo(body("/v3/" + feed + "?limit=3"));
    }

    @Test
    void aForwardScrollOfALiveOrderShowsNoRowTwice() {
        UniversalClient client = new UniversalClient(url("shoals") + "order=edited&", 30);
        Page first = client.first();
        run("update shoals set edited_at = '2026-02-01T00:00:00Z' where id in (5, 50)");
        List<String> rest = UniversalClient.rows(
                        client.pagesFrom(client.after(first.next().orElseThrow())))
                .stream()
                .map(row -> row.get("id").asText())
                .toList();
        assertThat(rest).hasSize(69).doesNotContain("5", "50");
        UniversalClient zeroLimitClient = new UniversalClient(url("shoals") + "order=edited&", 0);
        String here = zeroLimitClient.after(first.next().orElseThrow()).next().orElseThrow();
        assertThat(UniversalClient.rows(client.pagesFrom(client.after(here))))
                .as("also after a request with limit 0")
                .hasSize(69);
    }

    /**
     * If one row is left, the server reads it even for a limit of 0, to know that there is a next page. The client has
     * not seen the row, so the scroll has not ended.
     */
    @Test
    void aLiveScrollShowsNoRowTwiceAfterALimitOfZeroBeforeTheLastRow() {
        UniversalClient client = new UniversalClient(url("shoals") + "order=edited&", 99);
        Page first = client.first();
        UniversalClient zeroLimitClient = new UniversalClient(url("shoals") + "order=edited&", 0);
        String here = zeroLimitClient.after(first.next().orElseThrow()).next().orElseThrow();
        run("update shoals set edited_at = '2026-02-01T00:00:00Z' where id in (5, 50)");
        assertThat(client.after(here).values("id")).containsExactly("100");
    }

    @Test
    void theSameRequestGivesTheSameBytes() {
        assertThat(body("/v3/letters?limit=20")).isEqualTo(body("/v3/letters?limit=20"));
        assertThat(body("/v3/ranking?limit=20&after=7")).isEqualTo(body("/v3/ranking?limit=20&after=7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v3/letters?limit=3", "/v3/letters-by-offset?limit=3&after=7", "/v3/ranking?limit=0"})
    void aPageHasTheUsualCachingHeaders(String target) {
        Response page = get(target);
        page.then()
                .header("Content-Type", startsWith("application/json"))
                .header("Cache-Control", "private, no-cache")
                .header("Vary", "Accept-Encoding")
                .header("Server-Timing", matchesPattern("db;dur=\\d+\\.\\d{3}"))
                // Pages of this protocol have no links.
                .header("Link", nullValue());
        String tag = page.header("ETag");
        given().header("If-None-Match", tag)
                .when()
                .get(target)
                .then()
                .statusCode(304)
                .body(emptyString());
        when().head(target).then().header("ETag", tag).header("Content-Length", page.header("Content-Length"));
        given().header("Accept-Encoding", "gzip").when().get(target).then().header("Content-Encoding", "gzip");
    }

    private static Page page(Page rows, String top, String last, String previous, String next) {
        return page(rows, top, last, previous, next, rows.count().orElseThrow());
    }

    private static Page page(Page rows, String top, String last, String previous, String next, long count) {
        return new Page(
                rows.rows(),
                Optional.ofNullable(top),
                Optional.ofNullable(last),
                Optional.ofNullable(previous),
                Optional.ofNullable(next),
                Optional.of(count));
    }

    private static UniversalClient client(String feed, int limit) {
        return new UniversalClient(url(feed), limit);
    }

    private static String url(String feed) {
        return TestServer.url("/v3/" + feed + '?').toString();
    }

    private static String body(String target) {
        return when().get(target).then().statusCode(200).extract().asString();
    }

    private void run(String sql) {
        pool.query(sql).executeAndAwait();
    }
}
