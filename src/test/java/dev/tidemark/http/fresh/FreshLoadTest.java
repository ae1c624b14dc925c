package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.http.events.TestStreams;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The maximum number of streams, all for one list. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class FreshLoadTest {

    private static final int CURSORS = 50;

    private final TestStreams streams = new TestStreams();

    @AfterEach
    void close() {
        streams.close();
        Await.until("all streams are gone", () -> FreshMetrics.streams() == 0);
        Await.until("no list is watched", () -> FreshMetrics.lists() == 0);
    }

    @Test
    void twoThousandStreamsShareFiftyCountsPerRound() {
        FreshFeedsProfile.execute("delete from notes where id > 200");
        List<String> targets = IntStream.range(0, CURSORS)
                .mapToObj(i -> "/api/notes/fresh?cursor="
                        + Pages.read("/api/notes?limit=1&from=" + (200 - i)).getString("cursors.top"))
                .toList();
        List<EventClient> open = streams.openAll(IntStream.range(0, FreshFeedsProfile.MAX_STREAMS)
                .mapToObj(i -> targets.get(i % CURSORS))
                .toList());
        for (int i = 0; i < open.size(); i++) {
            assertThat(open.get(i).next()).isEqualTo(count(i % CURSORS));
        }
        assertThat(FreshMetrics.streams()).isEqualTo(FreshFeedsProfile.MAX_STREAMS);

        // A request for another stream is rejected, but a request for the number alone is still served.
        RawResponse tooMany = RawRequest.send("GET " + targets.get(0) + " HTTP/1.1\r\nAccept: text/event-stream");
        assertThat(tooMany.status()).isEqualTo(503);
        assertThat(tooMany.body()).contains("\"code\":\"overloaded\"");
        assertThat(tooMany.header("Retry-After")).isPresent();
        assertThat(RawRequest.get(targets.get(0)).body()).isEqualTo(count(0));

        int roundsBefore = FreshMetrics.rounds();
        int countsBefore = FreshMetrics.counts();
        AtomicInteger changes = new AtomicInteger();
        Await.until("several rounds have begun", () -> {
            FreshFeedsProfile.execute("insert into notes values (" + (1_000 + changes.getAndIncrement()) + ")");
            return FreshMetrics.rounds() >= roundsBefore + 5;
        });
        FreshFeedsProfile.execute("delete from notes where id > 200; insert into notes values (301), (302), (303)");
        for (int i = 0; i < open.size(); i++) {
            String event = open.get(i).next();
            while (!event.equals(count(3 + i % CURSORS))) {
                event = open.get(i).next();
            }
        }
        // The number of counts is read before the number of rounds, so a round that starts in between adds only to the
        // rounds.
        int counted = FreshMetrics.counts() - countsBefore;
        int rounds = FreshMetrics.rounds() - roundsBefore;
        // Counts of a round that began before the measurement may be included.
        assertThat(counted).isLessThanOrEqualTo(CURSORS * (rounds + 1));
    }

    private static String count(int items) {
        return "{\"count\":" + items + ",\"capped\":false}";
    }
}
