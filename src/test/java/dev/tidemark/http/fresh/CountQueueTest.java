package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The statements and rests of a {@link CountQueue}. The test itself ends them. */
class CountQueueTest {

    private static final long STATEMENT_NANOS = Duration.ofMillis(5).toNanos();
    private static final long MAX_REST_NANOS = Duration.ofSeconds(2).toNanos();

    private final Queue<Runnable> running = new ArrayDeque<>();
    private final List<Duration> rests = new ArrayList<>();
    private final Queue<Runnable> timers = new ArrayDeque<>();
    private final CountQueue queue = new CountQueue((positions, onEnd) -> running.add(onEnd), (delay, task) -> {
        rests.add(delay);
        timers.add(task);
    });

    @Test
    void statementsOfAFeedTakeAFifthOfAConnectionsTime() {
        addPositions("messages");
        assertNextRest(1);
        timers.remove().run();
        assertThat(running).as("the next statement").hasSize(1);
    }

    @Test
    void feedsShareThisTime() {
        addPositions("messages");
        addPositions("others");
        assertNextRest(2);
    }

    /** Two positions of a feed, each of which is counted alone. */
    private void addPositions(String feed) {
        ListState state = SampleFeeds.listState(SampleFeeds.messages(feed), "newest");
        WatchedList list = new WatchedList(state, null, new NoChanges());
        for (int place = 1; place <= 2; place++) {
            Continuation from = new Continuation(Gap.before(Position.of(Integer.toString(place))), Direction.BACKWARD);
            WatchedPosition position = new WatchedPosition(list, from, Optional.empty());
            position.add(from, new NoListener());
            queue.add(position);
        }
    }

    /** Runs a statement, and checks that the next one is asked for only after a rest that depends on its time. */
    private void assertNextRest(int feeds) {
        rests.clear();
        assertThat(running).isEmpty();
        long beforeStart = System.nanoTime();
        timers.remove().run();
        long afterStart = System.nanoTime();
        while (System.nanoTime() - afterStart < STATEMENT_NANOS) {
            Thread.onSpinWait();
        }
        long beforeEnd = System.nanoTime();
        running.remove().run();
        long afterEnd = System.nanoTime();
        assertThat(running)
                .as("the next statement waits for the end of the rest")
                .isEmpty();
        assertThat(rests).hasSize(1);
        assertThat(rests.get(0).toNanos())
                .isBetween(rest(beforeEnd - afterStart, feeds), rest(afterEnd - beforeStart, feeds));
    }

    private static long rest(long statementNanos, int feeds) {
        return Math.min((long) (statementNanos * (feeds / CountQueue.SHARE - 1)), MAX_REST_NANOS);
    }

    private static final class NoChanges implements FeedChanges {
        @Override
        public Watch watch(ListState list, Runnable changed) {
            return () -> {};
        }

        @Override
        public Watch watchWithEmbeds(ListState list, Runnable changed) {
            return () -> {};
        }
    }

    private static final class NoListener implements FreshListener {
        @Override
        public void onCount(FreshCount count) {}

        @Override
        public void onFailure(Throwable failure) {}
    }
}
