package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import dev.tidemark.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of feeds while one of their tables is locked. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class LockedTableTest {

    private static final String NDJSON = "application/x-ndjson";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/notes",
                "/api/notes?order=newest&count=exact",
                "/api/notes?kind=rare&limit=2",
                "/api/notes?around_id=3",
                "/v3/notes?limit=4",
                "EXPORT /api/notes"
            })
    void aReadOfALockedTableIsRejected(String target) throws SQLException {
        try (Lock lock = new Lock("lock table notes")) {
            assertThat(lock).isNotNull();
            RequestSpecification request = target.startsWith("EXPORT ") ? given().accept(NDJSON) : given();
            request.get(target.replace("EXPORT ", ""))
                    .then()
                    .statusCode(503)
                    .header("Retry-After", notNullValue())
                    .body(containsString("locked"));
            get("/api/letters").then().statusCode(200);
        }
        awaitServed("/api/notes");
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
