package dev.tidemark.http.fresh;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.TestStreams;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class FreshStreamTest {

    private static final String NONE = "{\"count\":0,\"capped\":false}";
    private static final String ONE = "{\"count\":1,\"capped\":false}";
    private static final String TWO = "{\"count\":2,\"capped\":false}";

    private final TestStreams streams = new TestStreams();

    @BeforeEach
    void restoreTables() {
        FreshFeedsProfile.execute("delete from notes where id > 200; delete from parcels where id > 10");
    }

    @AfterEach
    void closeAllStreamsAndAwaitTheirEnd() {
        streams.close();
        Await.until("no stream is open", () -> FreshMetrics.streams() == 0);
        Await.until("no list is watched", () -> FreshMetrics.lists() == 0);
    }

    @Test
    void theNumberIsSentAtOnceAndWheneverItChanges() {
        EventClient stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("insert into notes values (301)");
        assertThat(stream.next()).isEqualTo(ONE);
        FreshFeedsProfile.execute("insert into notes values (302)");
        assertThat(stream.next()).isEqualTo(TWO);
        FreshFeedsProfile.execute("delete from notes where id = 301");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    /** The events have no ids, but some clients send the parameter all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"", "1", "rubbish"})
    void theIdOfALastEventMeansNothing(String id) {
        String target = "/api/notes/fresh?cursor=" + top("notes") + "&lastEventId=" + id;
        EventClient stream = open(target);
        assertThat(stream.next()).isEqualTo(NONE);
        assertThat(stream.retries()).singleElement().satisfies(millis -> assertThat(millis)
                .isBetween(1_000, 5_000));
        assertThat(get(target).asString()).isEqualTo(NONE);
    }

    @Test
    void theHeadersPreventProxiesFromBuffering() {
        EventClient stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream;charset=UTF-8");
        assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
        assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
        assertThat(stream.header("Content-Encoding")).isNull();
        assertThat(stream.header("Content-Length")).isNull();
    }

    @Test
    void aChangeThatDoesNotAffectTheNumberSendsNoEvent() {
        EventClient stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        int rounds = FreshMetrics.rounds();
        FreshFeedsProfile.execute("update notes set room = 'a' where id = 5");
        Await.until("a round has started", () -> FreshMetrics.rounds() > rounds);
        FreshFeedsProfile.execute("insert into notes values (301)");
        assertThat(stream.next()).as("the next event").isEqualTo(ONE);
    }

    @Test
    void filtersAndOrderApply() {
        String cursor = Pages.read("/api/notes?room=b&order=oldest&limit=1").getString("cursors.last");
        assertThat(cursor).as("an empty list has no bookmark").isNull();
        FreshFeedsProfile.execute("insert into notes values (301, 'b')");
        cursor = Pages.read("/api/notes?room=b&order=oldest&limit=1").getString("cursors.last");
        EventClient stream = open("/api/notes/fresh?room=b&order=oldest&cursor=" + cursor);
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("insert into notes values (302, 'a'), (303, 'b')");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void anEditIsCountedInALiveOrder() {
        FreshFeedsProfile.execute("update notes set edited_at = now() where id = 200");
        String cursor = Pages.read("/api/notes?order=edited&limit=1").getString("cursors.top");
        EventClient stream = open("/api/notes/fresh?order=edited&cursor=" + cursor);
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("update notes set edited_at = now() where id = 7");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void commentsKeepTheConnectionActive() {
        EventClient stream = open("/api/notes/fresh?cursor=" + top("notes"));
        stream.nextComment();
        stream.nextComment();
        assertThat(stream.next()).isEqualTo(NONE);
        assertThat(stream.peek()).isNull();
    }

    @Test
    void aTableWithoutTheTriggerIsPolled() {
        EventClient stream = open("/api/parcels/fresh?cursor=" + top("parcels"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("insert into parcels values (11)");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void aViewIsPolled() {
        EventClient stream = open("/api/some_notes/fresh?cursor=" + top("some_notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("insert into notes values (302)");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void noChangeIsMissedAfterTheListeningConnectionEnds() {
        EventClient stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where application_name = 'tidemark listens' and datname = current_database()");
        FreshFeedsProfile.execute("insert into notes values (301)");
        assertThat(stream.next()).isEqualTo(ONE);
        FreshFeedsProfile.execute("insert into notes values (302)");
        assertThat(stream.next()).isEqualTo(TWO);
    }

    @Test
    void aStreamSurvivesTheEndOfAllDatabaseConnections() {
        EventClient stream = open("/api/notes/fresh?cursor=" + top("notes"));
        assertThat(stream.next()).isEqualTo(NONE);
        FreshFeedsProfile.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid()");
        FreshFeedsProfile.execute("insert into notes values (301)");
        assertThat(stream.next()).isEqualTo(ONE);
    }

    @Test
    void aFailureBeforeTheFirstNumberIsAProblem() {
        String cursor = top("gone");
        FreshFeedsProfile.execute("alter table gone rename to away");
        try {
            EventClient stream = open("/api/gone/fresh?cursor=" + cursor);
            assertThat(stream.status()).isEqualTo(503);
            assertThat(stream.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(stream.header("Retry-After")).isEqualTo("5");
        } finally {
            FreshFeedsProfile.execute("alter table away rename to gone");
            Await.until(
                    "the feed is served again",
                    () -> RawRequest.get("/api/gone").status() == 200);
        }
    }

    @Test
    void aClientThatDisconnectsBeforeTheFirstNumberIsReleased() throws Exception {
        String target = "/api/gone/fresh?cursor=" + top("gone");
        try (Connection other = FreshFeedsProfile.connection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table gone in access exclusive mode");
            try (RawConnection client = new RawConnection()) {
                String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
                client.send(request);
                Await.until("the stream waits for its first number", () -> FreshMetrics.streams() == 1);
            }
            Await.until("the stream has ended", () -> FreshMetrics.streams() == 0);
            other.rollback();
        }
    }

    private EventClient open(String target) {
        return streams.open(target);
    }

    private static String top(String feed) {
        return Pages.read("/api/" + feed + "?limit=1").getString("cursors.top");
    }
}
