package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.FeedChanges;
import dev.tidemark.feed.read.FeedChanges.Watch;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.ItemCount;
import dev.tidemark.feed.read.FeedCounter.ValueCounts;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import io.micrometer.core.instrument.Timer;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * {@link FreshCounts} without HTTP and without a database.
 */
@BesideQuarkusTests
class FreshCountsTest {

    private static final ListState LIST = list(0);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Set<Runnable> watchers = Collections.synchronizedSet(new HashSet<>());
    private final AtomicInteger runningCounts = new AtomicInteger();
    private final AtomicInteger maxRunningCounts = new AtomicInteger();
    private final AtomicInteger statements = new AtomicInteger();
    private final AtomicInteger newPlace = new AtomicInteger(100);

    /** The positions at which was counted, in this order. */
    private final List<Position> counted = Collections.synchronizedList(new ArrayList<>());

    private volatile boolean isGrouped = true;
    private volatile int failingPlace = -1;
    private volatile boolean failsAll;

    /** More positions than this time out. */
    private volatile int largestCount = Integer.MAX_VALUE;

    private volatile Supplier<Uni<Integer>> number = () -> Uni.createFrom().item(7);
    private final FreshCounts freshCounts = new FreshCounts(
            new Counter(),
            new FeedChanges() {
                @Override
                public Watch watch(ListState list, Runnable changed) {
                    watchers.add(changed);
                    return () -> watchers.remove(changed);
                }

                @Override
                public Watch watchWithEmbeds(ListState list, Runnable changed) {
                    return watch(list, changed);
                }
            },
            metrics,
            vertx);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aNewWatchGetsAKnownNumberWithoutAnotherCount() {
        RecordingListener first = new RecordingListener();
        RecordingListener second = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), first);
        first.awaitNumbers("[7]");
        freshCounts.watch(LIST, continuationAt(1), second);
        second.awaitNumbers("[7]");
        assertThat(counts()).isEqualTo(1);
    }

    @Test
    void oneRoundCountsAtAllPositionsOfAGroupByOneStatement() {
        List<RecordingListener> listeners = watchAtPlaces(40);
        listeners.forEach(each -> each.awaitNumbers("[7]"));
        int statementsBefore = statements.get();
        int roundsBefore = rounds();
        notifyWatchers();
        Await.until("another round has counted at all positions", () -> counts() >= 80);
        assertThat(counts()).isEqualTo(80);
        assertThat(rounds()).isEqualTo(roundsBefore + 1);
        assertThat(statements.get() - statementsBefore).isEqualTo(1);
    }

    @Test
    void statementsOfAFeedRunOneAfterTheOther() {
        number = () -> Uni.createFrom().item(7).onItem().delayIt().by(Duration.ofMillis(20));
        isGrouped = false;
        watchAtPlaces(5).forEach(each -> each.awaitNumbers("[7]"));
        assertThat(maxRunningCounts.get()).isEqualTo(1);
    }

    @Test
    void aCountThatIsNotAnsweredDoesNotHoldUpTheListsOfAnotherFeed() {
        number = () -> Uni.createFrom().nothing();
        watchAtPlaces(1);
        Await.until("a count has begun", () -> statements.get() == 1);
        number = () -> Uni.createFrom().item(7);
        RecordingListener other = new RecordingListener();
        freshCounts.watch(SampleFeeds.listState(SampleFeeds.messages("others"), "newest"), continuationAt(1), other);
        other.awaitNumbers("[7]");
    }

    @Test
    void aNewPositionIsCountedBeforeTheOthersAreCountedAgain() {
        isGrouped = false;
        watchAtPlaces(5).forEach(each -> each.awaitNumbers("[7]"));
        CompletableFuture<Integer> held = new CompletableFuture<>();
        number = () -> Uni.createFrom().completionStage(held);
        notifyWatchers();
        Await.until("the next round has begun", () -> counted.size() == 5 + 1);
        RecordingListener late = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(9), late);
        Await.until("the new position waits for its turn", () -> rounds() == 5 + 5 + 1);
        held.complete(7);
        Await.until("all have been counted", () -> counted.size() == 5 + 5 + 1);
        // The others have some of the turns, but never two one after the other.
        assertThat(counted.subList(6, 8)).contains(positionOf(9));
        late.awaitNumbers("[7]");
    }

    @Test
    void aPositionThatCannotBeCountedDoesNotFailTheOthers() {
        failingPlace = 3;
        List<RecordingListener> listeners = watchAtPlaces(6);
        for (int place = 0; place < 6; place++) {
            listeners.get(place).awaitNumbers(place == failingPlace ? "[failed]" : "[7]");
        }
    }

    /** As if each of many clients had sent a value that the database cannot represent. */
    @Test
    void whenManyPositionsAreRejectedTheOthersAreCountedAgainAfterOneInterval() {
        watchAtPlaces(1).get(0).awaitNumbers("[7]");
        failsAll = true;
        notifyWatchers();
        List<RecordingListener> listeners = watchAtPlaces(40);
        listeners.subList(1, 40).forEach(each -> each.awaitNumbers("[failed]"));
        number = () -> Uni.createFrom().item(8);
        failsAll = false;
        notifyWatchers();
        // 40 intervals would be longer than the wait.
        listeners.get(0).awaitNumbers("[7, 8]");
    }

    @Test
    void aRoundEndsAlsoWhileNewPositionsKeepComing() {
        RecordingListener early = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), early);
        early.awaitNumbers("[7]");
        number = () -> Uni.createFrom().item(8).onItem().delayIt().by(Duration.ofMillis(20));
        notifyWatchers();
        Await.until("the number that has changed arrives", () -> {
            watchAtNewPlace();
            return early.numbers().equals("[7, 8]");
        });
        number = () -> Uni.createFrom().item(9).onItem().delayIt().by(Duration.ofMillis(20));
        notifyWatchers();
        Await.until("the next number arrives, too", () -> {
            watchAtNewPlace();
            return early.numbers().equals("[7, 8, 9]");
        });
    }

    @Test
    void newPositionsOfOneFeedDoNotKeepTheLanesOtherGroupsFromBeingCounted() {
        isGrouped = false;
        RecordingListener early = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), early);
        early.awaitNumbers("[7]");
        number = () -> Uni.createFrom().item(8).onItem().delayIt().by(Duration.ofMillis(20));
        notifyWatchers();
        Await.until("the number that has changed arrives", () -> {
            watchAtNewPlace();
            watchAtNewPlace();
            return early.numbers().equals("[7, 8]");
        });
    }

    @Test
    void ifAStatementTimesOutFewerPositionsAreCountedByEach() {
        largestCount = 5;
        List<RecordingListener> listeners = watchAtPlaces(23);
        listeners.forEach(each -> each.awaitNumbers("[7]"));
        number = () -> Uni.createFrom().item(8);
        notifyWatchers();
        listeners.forEach(each -> each.awaitNumbers("[7, 8]"));
        largestCount = 0;
        RecordingListener late = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(99), late);
        late.awaitNumbers("[failed]");
    }

    @Test
    void aWatchThatTakesThePlaceOfOneThatIsBeingCountedIsKept() {
        CompletableFuture<Integer> held = new CompletableFuture<>();
        number = () -> Uni.createFrom().completionStage(held);
        Watch first = freshCounts.watch(LIST, continuationAt(1), new RecordingListener());
        Await.until("the first one is being counted", () -> counts() == 1);
        first.close();
        RecordingListener second = new RecordingListener();
        Watch watch = freshCounts.watch(LIST, continuationAt(1), second);
        number = () -> Uni.createFrom().item(7);
        held.completeExceptionally(new ReadFailure(ReadFailure.Reason.UNREPRESENTABLE, null));
        second.awaitNumbers("[7]");
        number = () -> Uni.createFrom().item(9);
        notifyWatchers();
        second.awaitNumbers("[7, 9]");
        watch.close();
        Await.until(
                "nothing is watched",
                () -> metrics.get("tidemark.fresh.lists").gauge().value() == 0 && watchers.isEmpty());
    }

    private List<RecordingListener> watchAtPlaces(int count) {
        List<RecordingListener> listeners = new ArrayList<>();
        for (int place = 0; place < count; place++) {
            RecordingListener listener = new RecordingListener();
            listeners.add(listener);
            freshCounts.watch(LIST, continuationAt(place), listener);
        }
        return listeners;
    }

    private void watchAtNewPlace() {
        freshCounts.watch(LIST, continuationAt(newPlace.incrementAndGet()), new RecordingListener());
    }

    @Test
    void roundsThatDoNotChangeTheNumberAreNotReported() {
        RecordingListener listener = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), listener);
        listener.awaitNumbers("[7]");
        Await.until("five rounds have started", () -> {
            notifyWatchers();
            return rounds() >= 5;
        });
        assertThat(listener.numbers()).isEqualTo("[7]");
    }

    @Test
    void aChangeDuringACountIsCountedToo() {
        AtomicInteger rows = new AtomicInteger(1);
        number = () -> {
            int now = rows.get();
            if (now == 1) {
                rows.set(2);
                notifyWatchers();
            }
            return Uni.createFrom().item(now);
        };
        RecordingListener listener = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), listener);
        listener.awaitNumbers("[1, 2]");
    }

    @Test
    void aFailureIsReportedOnlyToWatchesWithoutANumber() {
        RecordingListener early = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), early);
        early.awaitNumbers("[7]");
        number = () -> Uni.createFrom().failure(new ReadFailure(ReadFailure.Reason.UNAVAILABLE, null));
        RecordingListener late = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(2), late);
        notifyWatchers();
        late.awaitNumbers("[failed]");
        number = () -> Uni.createFrom().item(8);
        early.awaitNumbers("[7, 8]");
    }

    @Test
    void theDelayOfANumberIsTheTimeSinceTheNoticeAlsoIfACountHasFailed() {
        RecordingListener listener = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), listener);
        listener.awaitNumbers("[7]");
        assertThat(delay().count()).as("nobody waited for a change").isZero();
        number = () -> Uni.createFrom().failure(new ReadFailure(ReadFailure.Reason.UNAVAILABLE, null));
        int countsBefore = counts();
        notifyWatchers();
        long noticed = System.nanoTime();
        Await.until("a count has failed", () -> counts() > countsBefore);
        long failed = System.nanoTime();
        number = () -> Uni.createFrom().item(8);
        listener.awaitNumbers("[7, 8]");
        Await.until("the delay is recorded", () -> delay().count() == 1);
        assertThat((long) delay().totalTime(TimeUnit.NANOSECONDS))
                .as("it begins before the count that has failed")
                .isGreaterThan(failed - noticed);
    }

    private Timer delay() {
        return metrics.get("tidemark.fresh.delay").timer();
    }

    @Test
    void closingTheLastWatchReleasesTheList() {
        RecordingListener listener = new RecordingListener();
        Watch watch = freshCounts.watch(LIST, continuationAt(1), listener);
        Watch other = freshCounts.watch(LIST, continuationAt(2), listener);
        listener.awaitNumbers("[7, 7]");
        watch.close();
        watch.close();
        other.close();
        Await.until(
                "nothing is watched",
                () -> metrics.get("tidemark.fresh.lists").gauge().value() == 0 && watchers.isEmpty());
        int countsBefore = counts();
        RecordingListener again = new RecordingListener();
        freshCounts.watch(LIST, continuationAt(1), again);
        again.awaitNumbers("[7]");
        assertThat(counts()).isEqualTo(countsBefore + 1);
    }

    private static ListState list(int number) {
        return SampleFeeds.listState(
                SampleFeeds.messages(),
                "newest",
                new Condition.AnyOf(SampleFeeds.PRIORITY, List.of(Integer.toString(number))));
    }

    private static Continuation continuationAt(int place) {
        return new Continuation(Gap.before(positionOf(place)), Direction.BACKWARD);
    }

    private static Position positionOf(int place) {
        return Position.of(Integer.toString(place));
    }

    private void notifyWatchers() {
        List.copyOf(watchers).forEach(Runnable::run);
    }

    private int counts() {
        return (int) metrics.counter("tidemark.fresh.counts").count();
    }

    private int rounds() {
        return (int) metrics.counter("tidemark.fresh.rounds").count();
    }

    private static final class RecordingListener implements FreshListener {
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

        void awaitNumbers(String expected) {
            Await.until("the listener has received " + expected, () -> numbers().equals(expected));
        }
    }

    private final class Counter implements FeedCounter {
        @Override
        public Uni<ItemCount> countRemaining(ListState state, Continuation from, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Object> group(Remainder remainder) {
            return isGrouped ? Optional.of(remainder.list().feed()) : Optional.empty();
        }

        @Override
        public Uni<List<ItemCount>> countAfterChange(List<Remainder> remainders, int limit) {
            statements.incrementAndGet();
            remainders.forEach(remainder -> counted.add(remainder.from().gap().position()));
            maxRunningCounts.accumulateAndGet(runningCounts.incrementAndGet(), Math::max);
            ReadFailure.Reason failure = remainders.size() > largestCount
                    ? ReadFailure.Reason.TIMEOUT
                    : failsAll || remainders.stream().anyMatch(this::isFailing)
                            ? ReadFailure.Reason.UNREPRESENTABLE
                            : null;
            Uni<Integer> counted =
                    failure == null ? number.get() : Uni.createFrom().failure(new ReadFailure(failure, null));
            return counted.onTermination()
                    .invoke(runningCounts::decrementAndGet)
                    .map(count -> Collections.nCopies(remainders.size(), new ItemCount(count, false)));
        }

        private boolean isFailing(Remainder remainder) {
            return remainder.from().gap().position().equals(positionOf(failingPlace));
        }

        @Override
        public Uni<ValueCounts> countByValue(CountsByValue counts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Uni<ValueCounts> countByValueAfterChange(CountsByValue counts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isServedByIndex(CountsByValue counts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Uni<ItemCount> countAll(ListState state, int limit, Optional<Floor> floor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Uni<Long> estimate(ListState state) {
            throw new UnsupportedOperationException();
        }
    }
}
