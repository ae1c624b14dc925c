package dev.tidemark.http.counts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.TestStreams;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class CountsStreamTest {

    private static final String BY_ROOM = "/api/notes/counts?by=room";

    private final TestStreams streams = new TestStreams();

    @AfterEach
    void closeAllStreamsAndRestoreTables() {
        streams.close();
        FreshFeedsProfile.execute("delete from notes where id > 200; delete from tickets where id > 40");
        Await.until("no stream is open", () -> Metrics.value("tidemark_fresh_streams") == 0);
        Await.until("nothing is followed", () -> Metrics.value("tidemark_counts_lists") == 0);
    }

    @Test
    void theCountsAreSentAtOnceAndWheneverTheyChange() {
        EventClient stream = streams.open(BY_ROOM);
        assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream;charset=UTF-8");
        assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
        EventClient.Event first = stream.nextEvent();
        assertThat(first.name()).isEqualTo("counts");
        assertThat(first.data())
                .isEqualTo(
                        "{\"by\":\"room\",\"counts\":[{\"value\":\"a\",\"count\":100,\"capped\":true}],\"complete\":true}");
        FreshFeedsProfile.execute("insert into notes values (301, 'b')");
        assertThat(stream.next()).contains("{\"value\":\"b\",\"count\":1,\"capped\":false}");
        FreshFeedsProfile.execute("update notes set room = 'c' where id = 301");
        assertThat(stream.next())
                .contains("{\"value\":\"c\",\"count\":1,\"capped\":false}")
                .doesNotContain("\"b\"");
    }

    @Test
    void streamsOfEqualCountsShareTheirReads() {
        EventClient one = streams.open(BY_ROOM + "&room=a&room=b&up-to=1000");
        String first = one.next();
        EventClient other = streams.open(BY_ROOM + "&up-to=1000&room=a&room=b&room=a&lastEventId=");
        assertThat(other.next()).isEqualTo(first).contains("\"count\":200");
        assertThat(Metrics.value("tidemark_counts_lists")).isEqualTo(1);
        FreshFeedsProfile.execute("insert into notes values (301, 'b')");
        assertThat(one.next()).isEqualTo(other.next());
    }

    /** No index serves the order by title and the counts by room. While the tables are locked, their reads wait. */
    @Test
    void readsForStreamsThatNoIndexServesLeaveHalfOfTheConnectionsToRequests() throws SQLException {
        for (int i = 1; i <= 3; i++) {
            streams.open(BY_ROOM + "&up-to=" + i).next();
            streams.open("/api/tasks/live?order=title&limit=" + i).next();
        }
        try (Connection locking = FreshFeedsProfile.connection();
                Statement lock = locking.createStatement()) {
            locking.setAutoCommit(false);
            lock.execute("lock table tasks, notes");
            FreshFeedsProfile.execute("select pg_notify('tidemark', 'public.tasks')");
            FreshFeedsProfile.execute("select pg_notify('tidemark', 'public.notes')");
            Await.until("two reads wait", () -> waiting(lock) >= 2);
            Set<Integer> numbers = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                lock.execute("select pg_sleep(0.05)");
                numbers.add(waiting(lock));
            }
            // Fewer wait while one that has timed out begins again.
            assertThat(numbers).allMatch(number -> number <= 2);
            locking.rollback();
        }
    }

    private static int waiting(Statement statement) throws SQLException {
        try (ResultSet count = statement.executeQuery("select count(*) from pg_locks where not granted"
                + " and relation in ('tasks'::regclass, 'notes'::regclass)")) {
            count.next();
            return count.getInt(1);
        }
    }

    @Test
    void aStreamCountsInScopeAndEndsWithTheToken() {
        Instant expiry = Instant.now().plusSeconds(3);
        String token = TestTokens.bearer(TestTokens.claims().claim("tenant", 1).expiresAt(expiry));
        try (EventClient stream = EventClient.open("/api/tickets/counts?by=urgent", token)) {
            assertThat(stream.next())
                    .contains(
                            "{\"value\":false,\"count\":14,\"capped\":false},{\"value\":true,\"count\":6,\"capped\":false}");
            stream.awaitEnd();
            assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(expiry.getEpochSecond()));
        }
    }
}
