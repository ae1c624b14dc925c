package dev.tidemark.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.FeedServer;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.Wire;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(FeedServer.class)
class CachingTest {

    @Test
    void anUnchangedPageOfAnyKindIs304WithoutABody() {
        for (String target : everyKindOfPage()) {
            HttpResponse<byte[]> page = Wire.get(target);
            assertThat(page.statusCode()).as(target).isEqualTo(200);
            String tag = Wire.header(page, "ETag");
            assertThat(tag).as(target).startsWith("W/\"");
            for (String method : new String[] {"GET", "HEAD"}) {
                HttpResponse<byte[]> again = Wire.send(method, target, "If-None-Match", tag);
                assertThat(again.statusCode()).as(target).isEqualTo(304);
                assertThat(again.body()).as(target).isEmpty();
                for (String header : new String[] {"ETag", "Cache-Control", "Vary", "Link"}) {
                    assertThat(Wire.header(again, header)).as(target).isEqualTo(Wire.header(page, header));
                }
                assertThat(Wire.header(again, "Content-Type")).isNull();
                assertThat(Wire.header(again, "Content-Encoding")).isNull();
            }
        }
    }

    @Test
    void noBytesFollowTheHeadersOfA304() {
        RawRequest.Answer answer = RawRequest.send("GET /api/letters HTTP/1.1\r\nIf-None-Match: *");
        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("Content-Length")).isEmpty();
        assertThat(answer.header("Transfer-Encoding")).isEmpty();
    }

    @Test
    void anEntityTagIsValidForEveryContentCoding() {
        String tag = Wire.header(Wire.get("/api/letters"), "ETag");
        HttpResponse<byte[]> gzip =
                Wire.get("/api/letters", "Accept-Encoding", "gzip", "If-None-Match", "\"other\", " + tag);
        assertThat(gzip.statusCode()).isEqualTo(304);
        assertThat(gzip.body()).isEmpty();
    }

    @Test
    void tagsAreComparedWeakly() {
        String tag = Wire.header(Wire.get("/api/letters"), "ETag");
        assertThat(Wire.get("/api/letters", "If-None-Match", tag.substring("W/".length()))
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    void aTagIsFoundInAnyLineOfTheHeader() {
        String tag = Wire.header(Wire.get("/api/letters"), "ETag");
        assertThat(RawRequest.send("GET /api/letters HTTP/1.1\r\nIf-None-Match: \"other\"\r\nIf-None-Match: " + tag)
                        .status())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"other\"", "wrong", "W/", "\"a b\""})
    void anotherEntityTagGetsThePage(String ifNoneMatch) {
        HttpResponse<byte[]> page = Wire.get("/api/letters", "If-None-Match", ifNoneMatch);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo(Wire.get("/api/letters").body());
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
            String before = Wire.header(Wire.get("/api/bulletins?limit=2"), "ETag");
            assertThat(tags.add(before)).as(change).isTrue();
            execute(change);
            HttpResponse<byte[]> after = Wire.get("/api/bulletins?limit=2", "If-None-Match", before);
            assertThat(after.statusCode()).as(change).isEqualTo(200);
            assertThat(Wire.header(after, "ETag")).as(change).isNotEqualTo(before);
        }
        assertThat(tags).hasSize(changes.size());
        assertThat(Wire.header(Wire.get("/api/bulletins?limit=2"), "ETag")).isIn(tags);
    }

    @Test
    void differentBodiesHaveDifferentEntityTags() {
        Set<String> tags = new HashSet<>();
        List<String> targets = everyKindOfPage();
        targets.forEach(target -> tags.add(Wire.header(Wire.get(target), "ETag")));
        assertThat(tags).hasSameSizeAs(targets);
    }

    @Test
    void cacheControlIsTheFeedsSetting() {
        assertThat(Wire.header(Wire.get("/api/letters"), "Cache-Control")).isEqualTo("private, no-cache");
        assertThat(Wire.header(Wire.get("/api/bulletins"), "Cache-Control")).isEqualTo("public, max-age=60");
        assertThat(Wire.header(Wire.get("/api"), "Cache-Control")).isEqualTo("private, no-cache");
    }

    @Test
    void varyNamesTheHeadersThatTheResponseDependsOn() {
        assertThat(Wire.header(Wire.get("/api/letters"), "Vary")).isEqualTo("Accept-Encoding, Sec-CH-UA-Mobile");
        assertThat(Wire.header(Wire.get("/api/letters?limit=3"), "Vary")).isEqualTo("Accept-Encoding");
        assertThat(Wire.header(Wire.get("/api/bulletins"), "Vary"))
                .as("the same number of items for all")
                .isEqualTo("Accept-Encoding");
        assertThat(Wire.header(Wire.get("/api"), "Vary")).isEqualTo("Accept-Encoding");
    }

    @Test
    void serverTimingReportsTheTimeInTheDatabase() {
        assertThat(Wire.header(Wire.get("/api/letters"), "Server-Timing")).matches("db;dur=\\d+\\.\\d{3}");
        assertThat(Wire.header(Wire.head("/api/letters"), "Server-Timing")).matches("db;dur=\\d+\\.\\d{3}");
        assertThat(Wire.header(Wire.get("/api/letters", "If-None-Match", "*"), "Server-Timing"))
                .matches("db;dur=\\d+\\.\\d{3}");
    }

    @Test
    void aProblemIsNotCacheable() {
        HttpResponse<byte[]> problem = Wire.get("/api/letters?limit=0", "If-None-Match", "*");
        assertThat(problem.statusCode()).isEqualTo(400);
        assertThat(Wire.header(problem, "Cache-Control")).isEqualTo("no-store");
        assertThat(Wire.header(problem, "ETag")).isNull();
        assertThat(Wire.header(problem, "Link")).isNull();
    }

    private static List<String> everyKindOfPage() {
        JsonPath first = json("/api/letters?limit=5");
        String last = json("/api/letters?limit=100").getString("cursors.last");
        String tail = json("/api/letters?limit=5&cursor=" + last).getString("prev_cursor");
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

    private static JsonPath json(String target) {
        return new JsonPath(new String(Wire.get(target).body(), StandardCharsets.UTF_8));
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
