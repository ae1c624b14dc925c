package dev.tidemark.http.access;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class AuditLogTest {

    /** The field prevents the garbage collection of the logger and its handlers. */
    private final Logger logger = Logger.getLogger(AuditLog.CATEGORY);

    private final List<JsonDocument> reads = new CopyOnWriteArrayList<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            reads.add(JsonDocument.of(record.getMessage()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void startReading() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopReading() {
        logger.removeHandler(handler);
    }

    @Test
    void aReadOfARestrictedFeedIsLoggedWithItsSubjectListAndRows() {
        read("/api/tickets?urgent=true&limit=2", "application/json", 200);
        assertRead("page", "tickets", 2);
        assertThat(reads.get(0).getString("list")).contains("urgent", "true", "tenant_id");
        read("/v3/memos?limit=3", "application/json", 200);
        assertRead("page", "memos", 3);
        read("/api/memos?limit=4", "application/x-ndjson", 200);
        Await.until("the export is logged", () -> reads.size() == 3);
        assertRead("export", "memos", 4);
    }

    @Test
    void countsAreLogged() {
        String cursor = given().header("Authorization", token())
                .get("/api/memos?limit=1")
                .jsonPath()
                .getString("next_cursor");
        reads.clear();
        int count = given().header("Authorization", token())
                .get("/api/memos/fresh?cursor=" + cursor)
                .jsonPath()
                .getInt("count");
        assertRead("count", "memos", count);
    }

    @Test
    void rejectedRequestsAndPublicFeedsAreNotLogged() {
        read("/api/memos?limit=0", "application/json", 400);
        Pages.read("/api/open?limit=1");
        assertThat(reads).isEmpty();
    }

    private static void read(String target, String mediaType, int status) {
        given().header("Authorization", token())
                .accept(mediaType)
                .get(target)
                .then()
                .statusCode(status);
    }

    private static String token() {
        return TestTokens.bearer(TestTokens.claims("agent").claim("tenant", 1));
    }

    private void assertRead(String kind, String feed, int rows) {
        JsonDocument last = reads.get(reads.size() - 1);
        assertThat(last.getString("read")).isEqualTo(kind);
        assertThat(last.getString("subject")).isEqualTo("somebody");
        assertThat(last.getString("feed")).isEqualTo(feed);
        assertThat(last.getInt("rows")).isEqualTo(rows);
    }
}
