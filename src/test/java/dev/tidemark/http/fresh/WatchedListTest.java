package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedCounter.Remainder;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When the rounds of a {@link WatchedList} begin: not earlier than the list asks to be woken. If the machine stops for so
 * long that a round is due meanwhile, the list begins it without asking.
 */
class WatchedListTest {

    private final Vertx vertx = Vertx.vertx();
    private final Owner owner = new Owner(vertx);
    private final FreshListener listener = new FreshListener() {
        @Override
        public void onCount(FreshCount count) {}

        @Override
        public void onFailure(Throwable failure) {}
    };
    private final WatchedList list =
            new WatchedList(SampleFeeds.listState(SampleFeeds.messages(), "newest"), owner, new FeedChanges() {
                @Override
                public Watch watch(ListState state, Runnable changed) {
                    return () -> {};
                }

                @Override
                public Watch watchWithEmbeds(ListState state, Runnable changed) {
                    return () -> {};
                }
            });

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void roundsBeginAQuarterOfASecondApartHoweverManyChangesThereAre() {
        long begun = System.nanoTime();
        list.add(continuationAt(1), listener);
        owner.answer(7);
        for (int i = 0; i < 1_000; i++) {
            list.onChange();
        }
        assertNextRound(begun, WatchedList.MIN_INTERVAL);
    }

    @Test
    void aClientThatComesBackWaitsForTheNextRound() {
        long begun = System.nanoTime();
        list.add(continuationAt(1), listener);
        owner.answer(7);
        list.remove(continuationAt(1), listener);
        list.add(continuationAt(1), listener);
        assertNextRound(begun, WatchedList.MIN_INTERVAL);
    }

    @Test
    void aPositionWithMoreItemsThanAreCountedIsCountedLessOften() {
        list.add(continuationAt(1), listener);
        owner.answer(FreshCount.COUNT_LIMIT);
        long begun = System.nanoTime();
        list.onChange();
        Await.until("the position is counted again", owner::runTimer);
        owner.answer(FreshCount.COUNT_LIMIT);
        list.onChange();
        Await.until(
                "a round without the position is over",
                () -> owner.runTimer() || owner.nextRoundNanos - begun > WatchedList.MIN_INTERVAL_IF_CAPPED.toNanos());
        assertNextRound(begun, WatchedList.MIN_INTERVAL_IF_CAPPED);
    }

    private void assertNextRound(long begunNanos, Duration interval) {
        assertThat(Duration.ofNanos(owner.nextRoundNanos - begunNanos)).isGreaterThanOrEqualTo(interval);
    }

    private static Continuation continuationAt(int place) {
        return new Continuation(Gap.before(Position.of(Integer.toString(place))), Direction.BACKWARD);
    }

    /** Counts when the test says so. */
    private static final class Owner extends SharedCounts {

        /** When the list asked to be woken last or, if that was later, when a round has begun. */
        private long nextRoundNanos;

        private Runnable timer = () -> {};
        private Optional<WatchedPosition> counting = Optional.empty();

        Owner(Vertx vertx) {
            super(null, null, new SimpleMeterRegistry(), vertx);
        }

        /** Ends the count of the position. */
        void answer(int number) {
            WatchedPosition position = counting.orElseThrow();
            counting = Optional.empty();
            position.onCountStarted();
            position.onCounted(FreshCount.of(number));
            position.list().onCountEnded(position, false);
        }

        /** Wakes the list, which may be too early. Returns whether a position is being counted. */
        boolean runTimer() {
            timer.run();
            return counting.isPresent();
        }

        @Override
        void run(Runnable task) {
            task.run();
        }

        @Override
        void runAfter(Duration delay, Runnable task) {
            nextRoundNanos = System.nanoTime() + delay.toNanos();
            timer = task;
        }

        @Override
        Optional<Object> group(Remainder remainder) {
            return Optional.empty();
        }

        @Override
        void count(WatchedPosition position) {
            nextRoundNanos = System.nanoTime();
            position.onQueued();
            counting = Optional.of(position);
        }
    }
}
