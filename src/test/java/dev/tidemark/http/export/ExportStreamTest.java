package dev.tidemark.http.export;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.Await;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How an export runs and ends. Most tests export all items of the largest feed (20 MB) or its last 8,000 items (8 MB);
 * either is more than the network can buffer.
 */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class ExportStreamTest {

    private static final String NDJSON = "application/x-ndjson";

    /** The number of bytes that a test reads first. It is more than the first page, and less than the whole export. */
    private static final int FIRST_READ_BYTES = 400_000;

    private static final int FIRST_ID = FreshFeedsProfile.FREIGHT_ITEMS - 8_000 + 1;

    /** The item with the id <i>n</i> was last edited <i>n</i> seconds after this time. */
    private static final Instant EDIT_TIME_BASE = Instant.parse("2026-01-01T00:00:00Z");

    private static final String LIST = "/api/freight?order=oldest&from=" + FIRST_ID;

    @AfterEach
    void awaitTheEndOfAllExports() {
        Await.until("no export is running", () -> runningExports() == 0);
    }

    @Test
    void aSlowClientGetsEveryItemOnce() throws IOException {
        try (SlowExport export = SlowExport.open(LIST)) {
            assertThat(export.read(FIRST_READ_BYTES).readAll().assertComplete().ids())
                    .isEqualTo(idsOfList());
        }
    }

    @Test
    void aCursorLineFollowsAfterAtMostAThousandItems() throws IOException {
        try (SlowExport export = SlowExport.open(LIST)) {
            int items = 0;
            for (var line : export.readAll().all()) {
                items = line.has("cursor") ? 0 : items + 1;
                assertThat(items).isLessThanOrEqualTo(1001);
            }
        }
    }

    @Test
    void anInterruptedExportContinuesFromItsLastCursor() throws IOException {
        List<String> ids;
        String cursor;
        try (SlowExport export = SlowExport.open(LIST)) {
            ExportedLines first = export.read(FIRST_READ_BYTES).lines();
            assertThat(first.isComplete()).isFalse();
            ids = new ArrayList<>(first.idsBeforeLastCursor());
            cursor = first.lastCursor();
        }
        try (SlowExport export = SlowExport.open("/api/freight?order=oldest&cursor=" + cursor)) {
            ids.addAll(export.readAll().assertComplete().ids());
        }
        assertThat(ids).isEqualTo(idsOfList());
    }

    @Test
    void exportsBeyondTheLimitAreRejectedUntilOneEnds() throws Exception {
        List<SlowExport> waiting = new ArrayList<>();
        try (Connection other = FreshFeedsProfile.connection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table parcels in access exclusive mode");
            for (int i = 0; i < FreshFeedsProfile.MAX_EXPORTS; i++) {
                waiting.add(SlowExport.open("/api/parcels"));
            }
            Await.until(
                    "all exports wait for their first page", () -> runningExports() == FreshFeedsProfile.MAX_EXPORTS);
            given().accept(NDJSON)
                    .when()
                    .get("/api/notes")
                    .then()
                    .statusCode(503)
                    .header("Retry-After", "1")
                    .body("code", is("overloaded"));
            // The read of a page can fail if it uses a pinned connection on which an export waits; a later read
            // succeeds.
            Await.until("a page is served", () -> get("/api/notes").statusCode() == 200);

            waiting.get(0).close();
            Await.until("one export has ended", () -> runningExports() < FreshFeedsProfile.MAX_EXPORTS);
            // This export can fail like the page above, but is no longer rejected.
            given().accept(NDJSON).when().get("/api/notes").then().body(not(containsString("overloaded")));
            other.rollback();
            Await.until("all exports have ended", () -> runningExports() == 0);
        } finally {
            for (SlowExport export : waiting) {
                export.close();
            }
        }
    }

    @Test
    void anExportWhoseFirstPageFailsDoesNotCountTowardTheLimit() {
        FreshFeedsProfile.execute("alter table gone rename to away");
        try {
            for (int i = 0; i < 3 * FreshFeedsProfile.MAX_EXPORTS; i++) {
                given().accept(NDJSON).when().get("/api/gone").then().body(containsString("unavailable"));
            }
        } finally {
            FreshFeedsProfile.execute("alter table away rename to gone");
            Await.until("the feed is served again", () -> get("/api/gone").statusCode() == 200);
        }
    }

    @Test
    void aHeadRequestKeepsNoPlace() {
        for (int i = 0; i < 3 * FreshFeedsProfile.MAX_EXPORTS; i++) {
            given().accept(NDJSON).when().head("/api/notes").then().statusCode(200);
        }
    }

    @Test
    void anExportContinuesFromItsLastCursorAfterTheEndOfAllDatabaseConnections() throws IOException {
        ExportedLines interrupted;
        try (SlowExport export = SlowExport.open(LIST)) {
            export.read(FIRST_READ_BYTES);
            FreshFeedsProfile.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where datname = current_database() and pid <> pg_backend_pid()");
            interrupted = export.readAll();
        }
        if (interrupted.isComplete()) {
            // The connections were opened again before the next read.
            assertThat(interrupted.ids()).isEqualTo(idsOfList());
            return;
        }
        assertThat(interrupted.problem().get("code").asText()).isEqualTo("unavailable");
        List<String> ids = new ArrayList<>(interrupted.idsBeforeLastCursor());
        Await.until("the feed is served again", () -> get("/api/freight").statusCode() == 200);
        try (SlowExport export = SlowExport.open("/api/freight?order=oldest&cursor=" + interrupted.lastCursor())) {
            ids.addAll(export.readAll().assertComplete().ids());
        }
        assertThat(ids).isEqualTo(idsOfList());
    }

    @Test
    void aFailureAfterTheFirstLineIsTheLastLine() throws IOException {
        double problems = endedExports("problem");
        try (SlowExport export = SlowExport.open("/api/freight?order=oldest", "X-Request-Id", "mine")) {
            export.read(FIRST_READ_BYTES);
            FreshFeedsProfile.execute("alter table freight rename to away");
            ExportedLines lines = export.readAll();
            assertThat(lines.problem().get("code").asText()).isEqualTo("feed_unavailable");
            assertThat(lines.problem().get("request_id").asText()).isEqualTo("mine");
            assertThat(lines.idsBeforeLastCursor()).isEqualTo(lines.ids());
            assertThat(endedExports("problem") - problems).isEqualTo(1);
        } finally {
            repairFreight();
        }
    }

    private static void repairFreight() {
        // Otherwise, the server could still notice the missing table after the table is back.
        Await.until("the server knows that the table is gone", () -> Metrics.value("tidemark_feeds_broken") > 0);
        FreshFeedsProfile.execute("alter table away rename to freight");
        Await.until("the feed is served again", () -> Metrics.value("tidemark_feeds_broken") == 0);
    }

    @Test
    void csvIsCutBeforeItsLastChunkIfTheDatabaseFails() throws IOException {
        double problems = endedExports("problem");
        try (RawConnection connection = openCsv("HTTP/1.1")) {
            FreshFeedsProfile.execute("alter table freight rename to away");
            // A complete response would keep the connection open.
            assertThat(connection.readAll())
                    .endsWith("\r\n")
                    .doesNotEndWith("\r\n0\r\n\r\n")
                    .doesNotContain("feed_unavailable");
            Await.until("the export has ended", () -> endedExports("problem") == problems + 1);
        } finally {
            repairFreight();
        }
    }

    @Test
    void csvWithoutChunksIsCutByAResetOfItsConnection() throws IOException {
        try (RawConnection connection = openCsv("HTTP/1.0")) {
            FreshFeedsProfile.execute("alter table freight rename to away");
            assertThatThrownBy(connection::readAll).isInstanceOf(SocketException.class);
        } finally {
            repairFreight();
        }
    }

    /** Requests the largest feed as CSV, and reads more than its first page. */
    private static RawConnection openCsv(String version) throws IOException {
        RawConnection connection = new RawConnection(TestServer.port(), 4_096);
        connection.send("GET /api/freight?order=oldest " + version + "\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n");
        for (int i = 0; i < FIRST_READ_BYTES; i++) {
            assertThat(connection.read()).isNotNegative();
        }
        return connection;
    }

    @Test
    void anExportEndsWhenTheTokenExpires() throws IOException {
        Instant expiry = Instant.now().plusSeconds(5);
        String token = TestTokens.bearer(TestTokens.claims("agent").expiresAt(expiry));
        try (SlowExport export = SlowExport.open("/api/guarded?order=oldest", "Authorization", token)) {
            export.read(FIRST_READ_BYTES);
            Await.until("the token has expired", () -> Instant.now().isAfter(expiry));
            assertThat(export.readAll().problem().get("code").asText()).isEqualTo("unauthorized");
        }
    }

    @Test
    void rolesAndScopeApply() {
        given().accept(NDJSON).when().get("/api/tickets").then().statusCode(401);
        given().accept(NDJSON)
                .header("Authorization", TestTokens.withRoles("guest"))
                .when()
                .get("/api/guarded")
                .then()
                .statusCode(403);
        String token = TestTokens.ofTenant(1);
        Response answer =
                given().accept(NDJSON).header("Authorization", token).when().get("/api/tickets");
        assertThat(ExportedLines.of(answer.asString()).assertComplete().ids())
                .isEqualTo(JsonDocument.of(
                                given().header("Authorization", token).when().get("/api/tickets?limit=100"))
                        .getList("items.id"))
                .hasSize(20);
        answer.then().header("Vary", "Accept, Accept-Encoding, Authorization");
    }

    @Test
    void anExportInAnAscendingLiveOrderEndsAlthoughItemsMove() throws IOException {
        String moved = "id between " + FIRST_ID + " and " + (FIRST_ID + 9);
        try (SlowExport export =
                SlowExport.open("/api/freight?order=edited&from=" + EDIT_TIME_BASE.plusSeconds(FIRST_ID))) {
            export.read(FIRST_READ_BYTES);
            FreshFeedsProfile.execute("update freight set edited_at = clock_timestamp() where " + moved);
            assertThat(export.readAll().assertComplete().ids()).isEqualTo(idsOfList());
        } finally {
            FreshFeedsProfile.execute("update freight set edited_at = timestamptz '" + EDIT_TIME_BASE
                    + "' + id * interval '1 second' where " + moved);
        }
    }

    @Test
    void anExportEndsWhenItsClientDisconnects() throws IOException {
        double disconnected = endedExports("disconnected");
        try (SlowExport export = SlowExport.open("/api/freight")) {
            assertThat(export.read(FIRST_READ_BYTES).lines().isComplete()).isFalse();
        }
        Await.until("the export has ended", () -> endedExports("disconnected") > disconnected);
    }

    private static List<String> idsOfList() {
        return IntStream.rangeClosed(FIRST_ID, FreshFeedsProfile.FREIGHT_ITEMS)
                .mapToObj(Integer::toString)
                .toList();
    }

    private static double runningExports() {
        return Metrics.value("tidemark_export_streams");
    }

    private static double endedExports(String outcome) {
        return Metrics.value("tidemark_exports_total{outcome=\"" + outcome + "\"}");
    }
}
