package dev.tidemark.http.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.Await;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.http.events.TestStreams;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When streams of live windows are opened, and how they end. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
@Timeout(120)
class LiveStreamTest {

    private final TestStreams streams = new TestStreams();

    @BeforeEach
    void restoreTables() {
        FreshFeedsProfile.execute(
                "delete from tasks where id > 50; update tasks set title = 'task ' || id, body = 'body';"
                        + " delete from tickets where id > 40");
    }

    @AfterEach
    void closeStreams() {
        streams.close();
        OpenLiveStreams.awaitNoWindow();
    }

    @Test
    void commentsKeepTheConnectionActive() {
        EventClient stream = open("/api/tasks/live");
        stream.nextEvent();
        stream.nextComment();
        stream.nextComment();
        assertThat(stream.peek()).isNull();
    }

    @Test
    void aStreamBeyondTheMaximumIsRejected() {
        streams.openAll(Collections.nCopies(FreshFeedsProfile.MAX_LIVE_STREAMS, "/api/tasks/live"))
                .forEach(EventClient::nextEvent);
        assertOverloaded("/api/tasks/live");
        assertThat(Metrics.value("tidemark_live_streams"))
                .as("the others stay open")
                .isEqualTo(FreshFeedsProfile.MAX_LIVE_STREAMS);
        streams.get(0).close();
        Await.until(
                "a stream has ended",
                () -> Metrics.value("tidemark_live_streams") < FreshFeedsProfile.MAX_LIVE_STREAMS);
        assertThat(open("/api/tasks/live").status()).isEqualTo(200);
    }

    @Test
    void aWindowBeyondTheMaximumIsRejectedButNotAStreamOfAnOpenOne() {
        for (int i = 0; i < FreshFeedsProfile.MAX_WINDOWS; i++) {
            open("/api/tasks/live?limit=" + (i + 1)).nextEvent();
        }
        assertThat(Metrics.value("tidemark_live_windows")).isEqualTo(FreshFeedsProfile.MAX_WINDOWS);
        assertOverloaded("/api/tasks/live?limit=100");
        assertThat(open("/api/tasks/live?limit=5").nextEvent().name()).isEqualTo("page");
        streams.get(0).close();
        Await.until("another window can be opened", () -> {
            EventClient stream = open("/api/tasks/live?limit=100");
            return stream.status() == 200;
        });
    }

    private static void assertOverloaded(String target) {
        RawResponse response = RawRequest.send("GET " + target + " HTTP/1.1\r\nAccept: text/event-stream");
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.body()).contains("\"code\":\"overloaded\"");
        assertThat(response.header("Retry-After")).isPresent();
    }

    @Test
    void whoMayNotReadTheFeedIsRejectedBeforeParametersAreParsed() {
        assertThat(EventClient.open("/api/tickets/live?limit=0", "").status()).isEqualTo(401);
        assertThat(EventClient.open("/api/teams/live?limit=0", TestTokens.ofTenant(1))
                        .status())
                .isEqualTo(403);
        assertThat(EventClient.open("/api/memos/live", "").status())
                .as("nothing is told about the feed")
                .isEqualTo(401);
    }

    @Test
    void aWindowShowsOnlyTheRowsInScope() {
        EventClient first = streams.open("/api/tickets/live?limit=3", "Authorization", TestTokens.ofTenant(1));
        EventClient second = streams.open("/api/tickets/live?limit=3", "Authorization", TestTokens.ofTenant(2));
        assertThat(keys(first.nextEvent())).isEqualTo("[40, 38, 36]");
        assertThat(keys(second.nextEvent())).isEqualTo("[39, 37, 35]");
        assertThat(Metrics.value("tidemark_live_windows")).isEqualTo(2);
        FreshFeedsProfile.execute("insert into tickets values (41, 2, null, now())");
        assertThat(second.nextEvent().json().getList("items.id")).isEqualTo(List.of("41"));
        FreshFeedsProfile.execute("insert into tickets values (42, 1, null, now())");
        assertThat(first.nextEvent().json().getList("items.id")).isEqualTo(List.of("42"));
        assertThat(second.peek()).isNull();
    }

    @Test
    void aStreamEndsWhenItsTokenExpires() {
        Instant expiry = Instant.now().plusSeconds(3);
        String token = TestTokens.bearer(TestTokens.claims().claim("tenant", 1).expiresAt(expiry));
        EventClient stream = streams.open("/api/tickets/live", "Authorization", token);
        EventClient other = streams.open("/api/tickets/live", "Authorization", TestTokens.ofTenant(1));
        other.nextEvent();
        assertThat(stream.nextEvent().name()).isEqualTo("page");
        stream.awaitEnd();
        assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(expiry.getEpochSecond()));
        FreshFeedsProfile.execute("insert into tickets values (42, 1, null, now())");
        assertThat(other.nextEvent().name()).isEqualTo("change");
    }

    @Test
    void aStreamGoesOnAfterTheEndOfAllDatabaseConnections() {
        EventClient stream = open("/api/tasks/live");
        stream.nextEvent();
        FreshFeedsProfile.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid()");
        FreshFeedsProfile.execute("update tasks set body = 'new' where id = 7");
        Event change = stream.nextEvent();
        assertThat(change.name()).isEqualTo("change");
        assertThat(change.json().getList("items.id")).isEqualTo(List.of("7"));
    }

    @Test
    void aStreamGoesOnWhenItsTableIsBack() {
        EventClient stream = open("/api/gone/live");
        stream.nextEvent();
        FreshFeedsProfile.execute("alter table gone rename to away");
        try {
            FreshFeedsProfile.execute("insert into away values (2)");
            Await.until(
                    "the feed is unavailable", () -> RawRequest.get("/api/gone").status() == 503);
            EventClient rejected = open("/api/gone/live");
            assertThat(rejected.status()).isEqualTo(503);
            assertThat(rejected.header("Content-Type")).isEqualTo("application/problem+json");
        } finally {
            FreshFeedsProfile.execute("alter table away rename to gone");
            Await.until(
                    "the feed is served again",
                    () -> RawRequest.get("/api/gone").status() == 200);
        }
        try {
            assertThat(stream.nextEvent().json().getList("placed").toString()).isEqualTo("[[2, null]]");
        } finally {
            FreshFeedsProfile.execute("delete from gone where id = 2");
        }
    }

    @Test
    void aClientThatDisconnectsBeforeTheFirstEventIsReleased() throws Exception {
        try (Connection other = FreshFeedsProfile.connection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table gone in access exclusive mode");
            try (RawConnection client = new RawConnection()) {
                client.send("GET /api/gone/live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
                Await.until("the stream waits for its first event", () -> Metrics.value("tidemark_live_streams") == 1);
            }
            Await.until("the stream has ended", () -> Metrics.value("tidemark_live_streams") == 0);
            other.rollback();
        }
    }

    @Test
    void windowsThatAreStillReadForClientsThatHaveLeftMakeRoomForOthers() throws Exception {
        try (Connection other = FreshFeedsProfile.connection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table gone in access exclusive mode");
            List<RawConnection> clients = new ArrayList<>();
            try {
                for (int i = 1; i <= FreshFeedsProfile.MAX_WINDOWS; i++) {
                    RawConnection client = new RawConnection();
                    clients.add(client);
                    client.send("GET /api/gone/live?limit=" + i
                            + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
                }
                Await.until(
                        "all windows are open",
                        () -> Metrics.value("tidemark_live_windows") == FreshFeedsProfile.MAX_WINDOWS);
            } finally {
                for (RawConnection client : clients) {
                    client.close();
                }
            }
            Await.until("the streams have ended", () -> Metrics.value("tidemark_live_streams") == 0);
            CompletableFuture<EventClient> joining = streams.openAsync("/api/tasks/live");
            Await.until(
                    "another window is open", () -> Metrics.value("tidemark_live_streams") == 1 || joining.isDone());
            other.rollback();
            assertThat(joining.join().status()).isEqualTo(200);
        }
    }

    /** The read for the client that joined first has only the items that were written since the later moment. */
    @Test
    void aClientThatJoinsWhileThePageOfAnotherOneIsReadGetsWhatWasWrittenSinceItsOwnMoment() throws Exception {
        String earlier = Pages.read("/api/tasks?limit=1").getString("moment");
        FreshFeedsProfile.execute("update tasks set title = 'edited' where id = 50");
        String later = Pages.read("/api/tasks?limit=1").getString("moment");
        try (Connection other = FreshFeedsProfile.connection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table tasks in access exclusive mode");
            CompletableFuture<EventClient> first = streams.openAsync("/api/tasks/live?since=" + later);
            Await.until("the window is being read", () -> {
                try (ResultSet waiting =
                        lock.executeQuery("select from pg_locks where relation = 'tasks'::regclass and not granted")) {
                    return waiting.next();
                }
            });
            CompletableFuture<EventClient> second = streams.openAsync("/api/tasks/live?since=" + earlier);
            CompletableFuture<EventClient> third = streams.openAsync("/api/tasks/live?since=" + later);
            Await.until("all streams are open", () -> Metrics.value("tidemark_live_streams") == 3);
            other.rollback();
            assertThat(first.join().nextEvent().json().getList("items")).isEmpty();
            assertThat(second.join().nextEvent().json().getList("items.id")).isEqualTo(List.of("50"));
            assertThat(third.join().nextEvent().name()).isEqualTo("page");
        }
    }

    @Test
    void aStreamEndsIfItsCursorsCannotBeSealedAndTheClientThenGetsTheProblem() {
        EventClient stream = open("/api/tasks/live?order=title");
        stream.nextEvent();
        EventClient other = open("/api/tasks/live");
        other.nextEvent();
        FreshFeedsProfile.execute("insert into tasks values (60, repeat('long', 3000), null)");
        stream.awaitEnd();
        EventClient again = open("/api/tasks/live?order=title");
        assertThat(again.status()).isEqualTo(400);
        assertThat(other.nextEvent().json().getList("items.id")).isEqualTo(List.of("60"));
        JsonDocument problem =
                JsonDocument.of(RawRequest.send("GET /api/tasks/live?order=title HTTP/1.1\r\nAccept: text/event-stream")
                        .body());
        assertThat(problem.getString("code")).isEqualTo("not_supported");
    }

    @Test
    void aLargeEventArrivesWhole() {
        FreshFeedsProfile.execute("update tasks set body = repeat('äö', 25000)");
        WindowCopy copy = new WindowCopy("id").apply(open("/api/tasks/live").nextEvent(), true);
        assertThat(copy.items()).hasSize(50).allMatch(item -> item.length() > 50_000);
        assertThat(copy.items().get(0))
                .contains(Pages.read("/api/tasks?limit=1").getString("items[0].body"));
    }

    @Test
    void aClientThatReadsNothingIsDisconnectedWithoutTheRestOfItsEvent() throws Exception {
        FreshFeedsProfile.execute("update tasks set body = repeat('x', 250000)");
        try (RawConnection client = new RawConnection(TestServer.port(), 4096)) {
            client.send("GET /api/tasks/live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
            assertThat(client.read()).isEqualTo('H');
            Await.until("the stream has ended", () -> Metrics.value("tidemark_live_streams") == 0);
            // The kernel has dropped the rest of the event; otherwise, the client could read some of it, and then the
            // end.
            assertThatThrownBy(client::readAll).isInstanceOf(SocketException.class);
        }
    }

    private static String keys(Event page) {
        return page.json().getList("keys").toString();
    }

    private EventClient open(String target) {
        return streams.open(target);
    }
}
