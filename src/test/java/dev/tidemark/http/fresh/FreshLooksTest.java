package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The counting that streams share, without HTTP and without a database. */
@BesideQuarkusTests
class FreshLooksTest {

    private static final ListState LIST = list(0);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Set<Runnable> watchers = Collections.synchronizedSet(new HashSet<>());
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile Supplier<Uni<Integer>> number = () -> Uni.createFrom().item(7);
    private final SharedCounts looks = new SharedCounts(
            new Counter(),
            (feed, changed) -> {
                watchers.add(changed);
                return () -> watchers.remove(changed);
            },
            metrics,
            vertx);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aNewWatchGetsAKnownNumberWithoutAnotherCount() {
        Told first = new Told();
        Told second = new Told();
        looks.watch(LIST, at(1), first);
        first.assertNumbers("[7]");
        looks.watch(LIST, at(1), second);
        second.assertNumbers("[7]");
        assertThat(counts()).isEqualTo(1);
    }

    @Test
    void oneLookCountsAllPositionsOfAListTwoAtATime() {
        number = () -> Uni.createFrom().item(7).onItem().delayIt().by(Duration.ofMillis(5));
        List<Told> told = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            told.add(new Told());
            looks.watch(LIST, at(i), told.get(i));
        }
        told.forEach(one -> one.assertNumbers("[7]"));
        changed();
        Await.until("the second look has counted all", () -> counts() >= 80);
        assertThat(looksTaken()).isLessThanOrEqualTo(3);
        assertThat(most.get()).isEqualTo(2);
    }

    @Test
    void atMostEightCountsRunAtATime() {
        number = () -> Uni.createFrom().item(7).onItem().delayIt().by(Duration.ofMillis(5));
        List<Told> told = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            told.add(new Told());
            looks.watch(list(i / 3), at(i % 3), told.get(i));
        }
        told.forEach(one -> one.assertNumbers("[7]"));
        assertThat(most.get()).isEqualTo(8);
    }

    @Test
    void frequentChangesCauseAtMostFourLooksASecond() {
        long start = System.nanoTime();
        Told told = new Told();
        looks.watch(LIST, at(1), told);
        told.assertNumbers("[7]");
        Await.until("five looks are taken", () -> {
            changed();
            return looksTaken() >= 5;
        });
        int taken = looksTaken();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(timeFor(taken));
        assertThat(told.numbers()).isEqualTo("[7]");
    }

    @Test
    void aChangeDuringACountIsCountedToo() {
        AtomicInteger rows = new AtomicInteger(1);
        number = () -> {
            int now = rows.get();
            if (now == 1) {
                rows.set(2);
                changed();
            }
            return Uni.createFrom().item(now);
        };
        Told told = new Told();
        looks.watch(LIST, at(1), told);
        told.assertNumbers("[1, 2]");
    }

    @Test
    void aFailureIsReportedOnlyToWatchesWithoutANumber() {
        Told early = new Told();
        looks.watch(LIST, at(1), early);
        early.assertNumbers("[7]");
        number = () -> Uni.createFrom().failure(new ReadFailure(ReadFailure.Reason.UNAVAILABLE, null));
        Told late = new Told();
        looks.watch(LIST, at(2), late);
        changed();
        late.assertNumbers("[failed]");
        number = () -> Uni.createFrom().item(8);
        early.assertNumbers("[7, 8]");
    }

    @Test
    void closingTheLastWatchReleasesTheList() {
        Told told = new Told();
        Watch watch = looks.watch(LIST, at(1), told);
        Watch other = looks.watch(LIST, at(2), told);
        told.assertNumbers("[7, 7]");
        watch.close();
        watch.close();
        other.close();
        Await.until(
                "nothing is watched",
                () -> metrics.get("tidemark.fresh.lists").gauge().value() == 0 && watchers.isEmpty());
        int counted = counts();
        Told again = new Told();
        looks.watch(LIST, at(1), again);
        again.assertNumbers("[7]");
        assertThat(counts()).isEqualTo(counted + 1);
    }

    @Test
    void openingAndClosingWatchesCausesAtMostFourLooksASecond() {
        long start = System.nanoTime();
        while (looksTaken() < 3) {
            Told told = new Told();
            Watch watch = looks.watch(LIST, at(1), told);
            Await.until("told", () -> told.numbers().equals("[7]"));
            watch.close();
        }
        int taken = looksTaken();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(timeFor(taken));
    }

    /** The shortest time in nanoseconds from the start of the first of these looks to the start of the last. */
    private static long timeFor(int looks) {
        return (looks - 1) * WatchedList.BETWEEN_ROUNDS.toNanos();
    }

    private static ListState list(int number) {
        return SampleFeeds.listState(
                SampleFeeds.messages(),
                "newest",
                new Condition.AnyOf(SampleFeeds.PRIORITY, List.of(Integer.toString(number))));
    }

    private static Continuation at(int place) {
        return new Continuation(Gap.before(Position.of(Integer.toString(place))), Direction.BACKWARD);
    }

    private void changed() {
        List.copyOf(watchers).forEach(Runnable::run);
    }

    private int counts() {
        return (int) metrics.counter("tidemark.fresh.counts").count();
    }

    private int looksTaken() {
        return (int) metrics.counter("tidemark.fresh.looks").count();
    }

    private static final class Told implements FreshListener {
        private final List<String> numbers = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onCount(FreshCount count) {
            numbers.add(count.toString().replaceAll("\\D", ""));
        }

        @Override
        public void onFailure(Throwable failure) {
            numbers.add("failed");
        }

        String numbers() {
            return numbers.toString();
        }

        void assertNumbers(String expected) {
            Await.until("told " + expected + ", is " + numbers, () -> numbers().equals(expected));
        }
    }

    private final class Counter implements FeedCounter {
        @Override
        public Uni<Integer> countRemaining(ListState state, Continuation from, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Uni<Integer> countRemainingAfterChange(ListState state, Continuation from, int limit) {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            return number.get().onTermination().invoke(underWay::decrementAndGet);
        }

        @Override
        public Uni<Integer> countAll(ListState state, int limit, Optional<Floor> floor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Uni<Long> estimate(ListState state) {
            throw new UnsupportedOperationException();
        }
    }
}
