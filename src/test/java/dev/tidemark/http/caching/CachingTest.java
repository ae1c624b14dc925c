package dev.tidemark.http.caching;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class CachingTest {

    @Test
    void anUnchangedPageOfAnyKindIs304WithoutABody() {
        for (String target : everyKindOfPage()) {
            Response page = get(target);
            assertThat(page.statusCode()).as(target).isEqualTo(200);
            String tag = page.header("ETag");
            assertThat(tag).as(target).startsWith("W/\"");
            for (String method : new String[] {"GET", "HEAD"}) {
                given().header("If-None-Match", tag)
                        .when()
                        .request(method, target)
                        .then()
                        .statusCode(304)
                        .header("ETag", tag)
                        .header("Cache-Control", page.header("Cache-Control"))
                        .header("Vary", page.header("Vary"))
                        .header("Link", page.header("Link"))
                        .header("Content-Type", nullValue())
                        .header("Content-Encoding", nullValue())
                        .body(emptyString());
            }
        }
    }

    @Test
    void noBytesFollowTheHeadersOfA304() {
        RawResponse answer = RawRequest.send("GET /api/letters HTTP/1.1\r\nIf-None-Match: *");
        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("Content-Length")).isEmpty();
        assertThat(answer.header("Transfer-Encoding")).isEmpty();
    }

    @Test
    void anEntityTagIsValidForEveryContentCoding() {
        given().header("Accept-Encoding", "gzip")
                .header("If-None-Match", "\"other\", " + tag("/api/letters"))
                .when()
                .get("/api/letters")
                .then()
                .statusCode(304)
                .body(emptyString());
    }

    @Test
    void tagsAreComparedWeakly() {
        given().header("If-None-Match", tag("/api/letters").substring("W/".length()))
                .when()
                .get("/api/letters")
                .then()
                .statusCode(304);
    }

    @Test
    void aTagIsFoundInAnyLineOfTheHeader() {
        given().header("If-None-Match", "\"other\"", tag("/api/letters"))
                .when()
                .get("/api/letters")
                .then()
                .statusCode(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"other\"", "wrong", "W/", "\"a b\""})
    void aTagThatDoesNotMatchGetsThePage(String ifNoneMatch) {
        given().header("If-None-Match", ifNoneMatch)
                .when()
                .get("/api/letters")
                .then()
                .statusCode(200)
                .body(equalTo(get("/api/letters").asString()));
    }

    @Test
    void anyChangeToTheBodyChangesTheEntityTag() {
        Set<String> tags = new HashSet<>();
        List<String> changes = List.of(
                "insert into bulletins values (1, 'one'), (2, 'two')",
                "update bulletins set title = 'One' where id = 1",
                "update bulletins set title = 'eno' where id = 1",
                "update bulletins set title = null where id = 1",
                "insert into bulletins values (3, 'beyond the page: it only makes has_more true')",
                "delete from bulletins where id = 2",
                "delete from bulletins");
        for (String change : changes) {
            String before = tag("/api/bulletins?limit=2");
            assertThat(tags.add(before)).as(change).isTrue();
            execute(change);
            Response after = given().header("If-None-Match", before).when().get("/api/bulletins?limit=2");
            assertThat(after.statusCode()).as(change).isEqualTo(200);
            assertThat(after.header("ETag")).as(change).isNotEqualTo(before);
        }
        assertThat(tags).hasSize(changes.size());
        assertThat(tag("/api/bulletins?limit=2")).isIn(tags);
    }

    @Test
    void differentBodiesHaveDifferentEntityTags() {
        Set<String> tags = new HashSet<>();
        List<String> targets = everyKindOfPage();
        targets.forEach(target -> tags.add(tag(target)));
        assertThat(tags).hasSameSizeAs(targets);
    }

    @Test
    void cacheControlIsTheFeedsSetting() {
        when().get("/api/letters").then().header("Cache-Control", "private, no-cache");
        when().get("/api/bulletins").then().header("Cache-Control", "public, max-age=60");
        when().get("/api").then().header("Cache-Control", "private, no-cache");
    }

    @Test
    void varyNamesTheHeadersThatTheResponseDependsOn() {
        when().get("/api/letters").then().header("Vary", "Accept, Accept-Encoding, Sec-CH-UA-Mobile");
        when().get("/api/letters?limit=3").then().header("Vary", "Accept, Accept-Encoding");
        // The same number of items for all.
        when().get("/api/bulletins").then().header("Vary", "Accept, Accept-Encoding");
        when().get("/api").then().header("Vary", "Accept-Encoding");
    }

    @Test
    void serverTimingReportsTheTimeInTheDatabase() {
        Matcher<String> duration = matchesPattern("db;dur=\\d+\\.\\d{3}");
        when().get("/api/letters").then().header("Server-Timing", duration);
        when().head("/api/letters").then().header("Server-Timing", duration);
        given().header("If-None-Match", "*").when().get("/api/letters").then().header("Server-Timing", duration);
    }

    @Test
    void aProblemIsNotCacheable() {
        given().header("If-None-Match", "*")
                .when()
                .get("/api/letters?limit=0")
                .then()
                .statusCode(400)
                .header("Cache-Control", "no-store")
                .header("ETag", nullValue())
                .header("Link", nullValue());
    }

    private static String tag(String target) {
        return get(target).header("ETag");
    }

    private static List<String> everyKindOfPage() {
        JsonDocument first = Pages.read("/api/letters?limit=5");
        String last = Pages.read("/api/letters?limit=100").getString("cursors.last");
        String tail = Pages.read("/api/letters?limit=5&cursor=" + last).getString("prev_cursor");
        return List.of(
                "/api",
                "/api/letters",
                "/api/letters?limit=5",
                "/api/letters?limit=100",
                "/api/letters?limit=5&cursor=" + first.getString("next_cursor"),
                "/api/letters?limit=5&cursor=" + first.getString("cursors.top"),
                "/api/letters?limit=5&cursor=" + tail,
                "/api/letters?limit=5&cursor=" + last,
                "/api/letters?limit=5&fields=id",
                "/api/letters?limit=5&order=oldest",
                "/api/letters?limit=5&status=sad&status=very%20happy",
                "/api/letters?id=4711",
                "/api/letters?limit=4&from=2026-01-01T00:10:00Z",
                "/api/letters?limit=4&around=2026-01-01T00:10:00Z",
                "/api/letters?limit=4&from_id=50",
                "/api/letters?limit=4&around_id=50",
                "/api/letters?limit=6&until=" + first.getString("next_cursor"),
                "/api/letters?limit=5&until=" + first.getString("cursors.top"),
                "/api/notes?limit=5&count=exact",
                "/api/notes?limit=5&kind=rare&count=exact",
                "/api/specimens");
    }

    private static void execute(String sql) {
        String url = ConfigProvider.getConfig().getValue("quarkus.datasource.reactive.url", String.class);
        try (Connection connection = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
