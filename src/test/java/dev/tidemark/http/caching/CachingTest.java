package dev.tidemark.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpResponse;
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
@QuarkusTestResource(TestFeedsResource.class)
class CachingTest {

    @Test
    void anUnchangedPageOfAnyKindIs304WithoutABody() {
        for (String target : everyKindOfPage()) {
            HttpResponse<byte[]> page = TestClient.get(target);
            assertThat(page.statusCode()).as(target).isEqualTo(200);
            String tag = TestClient.header(page, "ETag");
            assertThat(tag).as(target).startsWith("W/\"");
            for (String method : new String[] {"GET", "HEAD"}) {
                HttpResponse<byte[]> again = TestClient.send(method, target, "If-None-Match", tag);
                assertThat(again.statusCode()).as(target).isEqualTo(304);
                assertThat(again.body()).as(target).isEmpty();
                for (String header : new String[] {"ETag", "Cache-Control", "Vary", "Link"}) {
                    assertThat(TestClient.header(again, header)).as(target).isEqualTo(TestClient.header(page, header));
                }
                assertThat(TestClient.header(again, "Content-Type")).isNull();
                assertThat(TestClient.header(again, "Content-Encoding")).isNull();
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
        String tag = TestClient.header(TestClient.get("/api/letters"), "ETag");
        HttpResponse<byte[]> gzip =
                TestClient.get("/api/letters", "Accept-Encoding", "gzip", "If-None-Match", "\"other\", " + tag);
        assertThat(gzip.statusCode()).isEqualTo(304);
        assertThat(gzip.body()).isEmpty();
    }

    @Test
    void tagsAreComparedWeakly() {
        String tag = TestClient.header(TestClient.get("/api/letters"), "ETag");
        assertThat(TestClient.get("/api/letters", "If-None-Match", tag.substring("W/".length()))
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    void aTagIsFoundInAnyLineOfTheHeader() {
        String tag = TestClient.header(TestClient.get("/api/letters"), "ETag");
        assertThat(RawRequest.send("GET /api/letters HTTP/1.1\r\nIf-None-Match: \"other\"\r\nIf-None-Match: " + tag)
                        .status())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"other\"", "wrong", "W/", "\"a b\""})
    void aTagThatDoesNotMatchGetsThePage(String ifNoneMatch) {
        HttpResponse<byte[]> page = TestClient.get("/api/letters", "If-None-Match", ifNoneMatch);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo(TestClient.get("/api/letters").body());
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
            String before = TestClient.header(TestClient.get("/api/bulletins?limit=2"), "ETag");
            assertThat(tags.add(before)).as(change).isTrue();
            execute(change);
            HttpResponse<byte[]> after = TestClient.get("/api/bulletins?limit=2", "If-None-Match", before);
            assertThat(after.statusCode()).as(change).isEqualTo(200);
            assertThat(TestClient.header(after, "ETag")).as(change).isNotEqualTo(before);
        }
        assertThat(tags).hasSize(changes.size());
        assertThat(TestClient.header(TestClient.get("/api/bulletins?limit=2"), "ETag"))
                .isIn(tags);
    }

    @Test
    void differentBodiesHaveDifferentEntityTags() {
        Set<String> tags = new HashSet<>();
        List<String> targets = everyKindOfPage();
        targets.forEach(target -> tags.add(TestClient.header(TestClient.get(target), "ETag")));
        assertThat(tags).hasSameSizeAs(targets);
    }

    @Test
    void cacheControlIsTheFeedsSetting() {
        assertThat(TestClient.header(TestClient.get("/api/letters"), "Cache-Control"))
                .isEqualTo("private, no-cache");
        assertThat(TestClient.header(TestClient.get("/api/bulletins"), "Cache-Control"))
                .isEqualTo("public, max-age=60");
        assertThat(TestClient.header(TestClient.get("/api"), "Cache-Control")).isEqualTo("private, no-cache");
    }

    @Test
    void varyNamesTheHeadersThatTheResponseDependsOn() {
        assertThat(TestClient.header(TestClient.get("/api/letters"), "Vary"))
                .isEqualTo("Accept, Accept-Encoding, Sec-CH-UA-Mobile");
        assertThat(TestClient.header(TestClient.get("/api/letters?limit=3"), "Vary"))
                .isEqualTo("Accept, Accept-Encoding");
        assertThat(TestClient.header(TestClient.get("/api/bulletins"), "Vary"))
                .as("the same number of items for all")
                .isEqualTo("Accept, Accept-Encoding");
        assertThat(TestClient.header(TestClient.get("/api"), "Vary")).isEqualTo("Accept-Encoding");
    }

    @Test
    void serverTimingReportsTheTimeInTheDatabase() {
        assertThat(TestClient.header(TestClient.get("/api/letters"), "Server-Timing"))
                .matches("db;dur=\\d+\\.\\d{3}");
        assertThat(TestClient.header(TestClient.head("/api/letters"), "Server-Timing"))
                .matches("db;dur=\\d+\\.\\d{3}");
        assertThat(TestClient.header(TestClient.get("/api/letters", "If-None-Match", "*"), "Server-Timing"))
                .matches("db;dur=\\d+\\.\\d{3}");
    }

    @Test
    void aProblemIsNotCacheable() {
        HttpResponse<byte[]> problem = TestClient.get("/api/letters?limit=0", "If-None-Match", "*");
        assertThat(problem.statusCode()).isEqualTo(400);
        assertThat(TestClient.header(problem, "Cache-Control")).isEqualTo("no-store");
        assertThat(TestClient.header(problem, "ETag")).isNull();
        assertThat(TestClient.header(problem, "Link")).isNull();
    }

    private static List<String> everyKindOfPage() {
        JsonDocument first = TestClient.json("/api/letters?limit=5");
        String last = TestClient.json("/api/letters?limit=100").getString("cursors.last");
        String tail = TestClient.json("/api/letters?limit=5&cursor=" + last).getString("prev_cursor");
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
