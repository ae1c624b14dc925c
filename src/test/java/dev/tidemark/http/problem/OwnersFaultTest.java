package dev.tidemark.http.problem;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.Await;
import dev.tidemark.http.ErrorLog;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.http.live.OpenLiveStreams;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A condition of the owner that fails for one row, while the table matches its feed. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class OwnersFaultTest {

    /** The row that cannot be read is the newest. */
    private static final String WITH_ROW = "/api/claims?limit=5";

    private static final String WITHOUT_ROW = "/api/claims?order=oldest&limit=5";

    private final ErrorLog errors = new ErrorLog();

    @AfterEach
    void repair() {
        FreshFeedsProfile.execute("delete from claims where id > 60");
        errors.close();
        OpenLiveStreams.awaitNone();
    }

    private static void addRow(String title) {
        FreshFeedsProfile.execute("insert into claims values (61, $$" + title + "$$)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22000", "21000", "2201B", "P0002", "P0003", "2F005", "38000", "38001", "39000", "0L000", "2BP01",
                        "25P02",
                "34000", "44000", "0Z002", "F0000", "72000", "S0001", "XYZ12", "54000", "23505", "22021", "42601",
                        "26000",
                "42P05", "01000"
            })
    void aRowForWhichTheConditionFailsMakesItsPagesUnavailable(String state) {
        addRow("raise " + state);
        assertUnavailableOnlyWithRow(state);
    }

    /** The codes are those of PostgreSQL itself. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            22000 | run select count(tstzrange('2026-12-01', '2026-11-01'))
            21000 | run select (select 1 from generate_series(1, 2))
            P0002 | run select id from claims where id < 0
            P0003 | run select id from claims
            2201B | run select count('a' ~ '(')
            42601 | run select from from
            22004 | run select (array_fill(1, array[1], array[null]::int[]))[1]
            22021 | run select length(convert_from('\\xff', 'UTF8'))
            """)
    void aRowForWhichTheSqlOfTheConditionFailsMakesItsPagesUnavailable(String state, String title) {
        addRow(title);
        assertUnavailableOnlyWithRow(state);
    }

    private void assertUnavailableOnlyWithRow(String state) {
        Warnings warnings = new Warnings();
        when().get(WITH_ROW).then().statusCode(503).header("Retry-After", "5").body("code", is("feed_unavailable"));
        when().get("/v3/claims?limit=5").then().statusCode(503).body("code", is(4004));
        when().get(WITHOUT_ROW + "&count=exact").then().body("code", is("feed_unavailable"));
        when().get(WITHOUT_ROW).then().statusCode(200).body("items", hasSize(5));
        given().accept("application/x-ndjson").when().get(WITH_ROW).then().body("code", is("feed_unavailable"));
        String[] lines = given().accept("application/x-ndjson")
                .when()
                .get("/api/claims?order=oldest")
                .asString()
                .split("\n");
        assertThat(lines[lines.length - 1]).startsWith("{\"problem\":").contains("\"feed_unavailable\"");
        assertThat(lines.length).isGreaterThan(20);
        assertThat(readiness().getString("checks[name=feeds].data.'rejected.claims'"))
                .contains("SQLSTATE " + state);
        assertThat(readiness().getString("status")).isEqualTo("UP");
        warnings.close();
        assertThat(warnings.lines()).as("warnings with the code").hasSizeLessThanOrEqualTo(1);
        assertThat(errors.lines()).isEmpty();
        repair();
        assertThat(get(WITH_ROW).statusCode()).isEqualTo(200);
    }

    @Test
    void theLogSaysOnceWhichFeedAndCode() {
        Warnings warnings = new Warnings();
        addRow("raise ABC01");
        for (int i = 0; i < 5; i++) {
            get(WITH_ROW);
        }
        warnings.close();
        assertThat(warnings.lines())
                .singleElement()
                .asString()
                .startsWith("The database rejected a statement of feed claims (SQLSTATE ABC01): at raise ABC01");
    }

    /** PostgreSQL sends notices of the level {@code INFO} to every client, whatever the session has set. */
    @ParameterizedTest
    @ValueSource(strings = {"info", "warning", "notice"})
    void theLogHasNoNoticesOfTheCondition(String level) {
        Warnings notices = new Warnings("io.vertx.sqlclient.impl.SocketConnectionBase");
        addRow(level + " with a value of the row");
        get(WITH_ROW).then().statusCode(200).body("items[0].title", is(level + " with a value of the row"));
        notices.close();
        assertThat(notices.lines()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"22000", "21000", "P0002"})
    void aRunningLiveWindowKeepsItsStateAndGoesOn(String state) {
        try (EventClient live = EventClient.open("/api/claims/live?limit=3")) {
            JsonDocument page = live.nextEvent().json();
            assertThat(page.getList("keys")).isEqualTo(List.of("60", "59", "58"));
            addRow("raise " + state);
            awaitRejection(state);
            assertThat(EventClient.open("/api/claims/live?limit=4").status()).isEqualTo(503);
            FreshFeedsProfile.execute("update claims set title = 'claim 61' where id = 61");
            JsonDocument change = live.nextEvent().json();
            assertThat(change.getList("removed")).isEqualTo(List.of("58"));
            assertThat(change.getString("placed[0][0]")).isEqualTo("61");
        }
        assertThat(errors.lines()).isEmpty();
    }

    @Test
    void aRunningStreamOfCountsKeepsItsNumberAndGoesOn() {
        String top = Pages.read(WITH_ROW).getString("cursors.top");
        try (EventClient fresh = EventClient.open("/api/claims/fresh?cursor=" + top)) {
            assertThat(fresh.next()).isEqualTo("{\"count\":0,\"capped\":false}");
            addRow("raise 22000");
            awaitRejection("22000");
            FreshFeedsProfile.execute("update claims set title = 'claim 61' where id = 61");
            assertThat(fresh.next()).isEqualTo("{\"count\":1,\"capped\":false}");
        }
        assertThat(errors.lines()).isEmpty();
    }

    /** Nobody has requested a page: the stream has tried to read the row. */
    private static void awaitRejection(String state) {
        Await.until("the database has rejected a statement of a stream", () -> String.valueOf(
                        readiness().getString("checks[name=feeds].data.'rejected.claims'"))
                .contains(state));
    }

    private static JsonDocument readiness() {
        return JsonDocument.of(get("/q/health/ready"));
    }

    /** The warnings of one class. */
    private static final class Warnings extends Handler {

        private final Logger logger;
        private final List<String> lines = new CopyOnWriteArrayList<>();

        /** Collects the warnings about rejected statements. */
        Warnings() {
            this("dev.tidemark.postgres.connection.ReadFailures");
        }

        Warnings(String logger) {
            this.logger = Logger.getLogger(logger);
            this.logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord record) {
            boolean isWarning = record.getLevel() == Level.WARNING
                    || record.getLevel().getName().equals("WARN");
            if (isWarning && ErrorLog.isFromApplication()) {
                lines.add(record.getMessage());
            }
        }

        List<String> lines() {
            return lines;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }
}
