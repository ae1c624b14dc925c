package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import dev.tidemark.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests of feeds while one of their tables is locked. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class LockedTableTest {

    private static final String NDJSON = "application/x-ndjson";

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * The requests are sent together, so that they meet the lock itself; later ones are rejected because it is known.
     */
    @Test
    void everyKindOfReadOfALockedTableIsRejected() throws SQLException {
        try (Lock lock = new Lock("lock table notes")) {
            assertThat(lock).isNotNull();
            List<CompletableFuture<HttpResponse<String>>> reads = Stream.of(
                            "/api/notes",
                            "/api/notes?order=newest&count=exact",
                            "/api/notes?kind=rare&limit=2",
                            "/api/notes?around_id=3",
                            "/v3/notes?limit=4",
                            "EXPORT /api/notes")
                    .map(LockedTableTest::send)
                    .toList();
            assertThat(reads).allSatisfy(read -> {
                HttpResponse<String> response = read.get(20, TimeUnit.SECONDS);
                assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
                assertThat(response.headers().firstValue("Retry-After")).isPresent();
                assertThat(response.body()).contains("locked");
            });
            get("/api/letters").then().statusCode(200);
        }
        awaitServed("/api/notes");
    }

    private static CompletableFuture<HttpResponse<String>> send(String target) {
        HttpRequest.Builder request = HttpRequest.newBuilder(TestServer.url(target.replace("EXPORT ", "")));
        if (target.startsWith("EXPORT ")) {
            request.header("Accept", NDJSON);
        }
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    @Test
    void countsOfALockedTableAreRejected() throws SQLException {
        String cursor = Pages.read("/api/notes?limit=1").getString("cursors.top");
        try (Lock lock = new Lock("alter table notes add column extra int")) {
            assertThat(lock).isNotNull();
            get("/api/notes/fresh?cursor=" + cursor)
                    .then()
                    .statusCode(503)
                    .body("code", is("overloaded"))
                    .body("detail", containsString("locked"));
        }
        awaitServed("/api/notes");
    }

    /** The feeds posts and exhibits read the same table, but only the first one embeds people. */
    @Test
    void aLockOfAnEmbeddedTableDoesNotConcernOtherFeedsOfTheSameTable() throws SQLException {
        try (Lock lock = new Lock("lock table people")) {
            assertThat(lock).isNotNull();
            get("/api/posts").then().statusCode(503).body("detail", containsString("locked"));
            for (int limit = 1; limit <= 20; limit++) {
                get("/api/exhibits?limit=" + limit).then().statusCode(200);
            }
        }
        awaitServed("/api/posts");
    }

    @Test
    void rowLocksAndIdleTransactionsDelayNothing() throws SQLException {
        try (Lock lock = new Lock("select * from notes for update")) {
            assertThat(lock).isNotNull();
            get("/api/notes").then().statusCode(200);
            get("/api/notes?kind=rare").then().statusCode(200);
        }
    }

    /** Until then, the statements of the table use no pinned connection. */
    @Test
    void pagesUsePinnedConnectionsAgainSomeTimeAfterTheLock() throws SQLException {
        try (Lock lock = new Lock("lock table letters")) {
            assertThat(lock).isNotNull();
            get("/api/letters").then().statusCode(503);
        }
        String pinned = "tidemark_statements_seconds_count{connections=\"pinned\"}";
        Await.until("a page is read over a pinned connection", () -> {
            double before = Metrics.value(pinned);
            return get("/api/letters").statusCode() == 200 && Metrics.value(pinned) > before;
        });
    }

    @Test
    void aTableThatIsDroppedWhileItIsLockedIsNoLongerServed() throws SQLException {
        get("/api/tides").then().statusCode(200);
        try (Lock lock = new Lock("lock table tides")) {
            get("/api/tides").then().statusCode(503).body("code", is("overloaded"));
            lock.execute("alter table tides rename to elsewhere");
            lock.commit();
            Await.until(
                    "the feed is unavailable",
                    () -> get("/api/tides").jsonPath().getString("code").equals("feed_unavailable"));
        } finally {
            FreshFeedsProfile.execute("alter table elsewhere rename to tides");
        }
        awaitServed("/api/tides");
    }

    private static void awaitServed(String target) {
        Await.until("the feed is served again", () -> get(target).statusCode() == 200);
    }

    /** A transaction that has executed a statement. Closing rolls it back. */
    private static final class Lock implements AutoCloseable {

        private final Connection owner = FreshFeedsProfile.connection();

        Lock(String statement) throws SQLException {
            owner.setAutoCommit(false);
            execute(statement);
        }

        void execute(String statement) throws SQLException {
            try (var created = owner.createStatement()) {
                created.execute(statement);
            }
        }

        void commit() throws SQLException {
            owner.commit();
        }

        @Override
        public void close() throws SQLException {
            owner.rollback();
            owner.close();
        }
    }
}
