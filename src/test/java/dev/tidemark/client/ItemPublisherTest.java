package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Await;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.local.FaultyProxy;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The publisher against a server with a hundred letters, ten on a page. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
class ItemPublisherTest {

    private final AtomicInteger requests = new AtomicInteger();
    private final TidemarkClient client =
            TidemarkClient.of(TestServer.url("")).onRequest(request -> requests.incrementAndGet());
    private final FeedList<Letter> letters = client.feed("letters", Letter::of).limit(10);

    @Test
    void everyItemArrivesOnceAndThenOneSignalOfCompletion() {
        Recorder<Letter> recorder = new Recorder<>();
        letters.publisher().subscribe(recorder);
        recorder.subscription.request(Long.MAX_VALUE);
        recorder.awaitSignals("completed");
        assertThat(recorder.items)
                .extracting(Letter::id)
                .doesNotHaveDuplicates()
                .hasSize(100);
        assertThat(requests).hasValue(10);
    }

    @Test
    void noPageIsReadBeforeItsItemsAreRequested() {
        Recorder<Letter> recorder = new Recorder<>();
        letters.publisher().subscribe(recorder);
        assertThat(requests).hasValue(0);

        recorder.subscription.request(1);
        recorder.awaitItems(1);
        assertThat(requests).hasValue(1);

        recorder.subscription.request(9);
        recorder.awaitItems(10);
        assertThat(requests)
                .as("all items of the page have arrived, and no others are requested")
                .hasValue(1);

        recorder.subscription.request(1);
        recorder.awaitItems(11);
        assertThat(requests).hasValue(2);
        assertThat(recorder.signals).isEmpty();
    }

    @Test
    void aSubscriberThatRequestsItemsOneByOneGetsAll() {
        Recorder<Letter> recorder = new Recorder<>() {
            @Override
            public void onNext(Letter letter) {
                super.onNext(letter);
                subscription.request(1);
            }
        };
        letters.publisher().subscribe(recorder);
        recorder.subscription.request(1);
        recorder.awaitSignals("completed");
        assertThat(recorder.items).hasSize(100);
    }

    @Test
    void anEmptyListCompletes() {
        Recorder<Letter> recorder = new Recorder<>();
        letters.where("id.gt", "1000").publisher().subscribe(recorder);
        recorder.subscription.request(1);
        recorder.awaitSignals("completed");
        assertThat(recorder.items).isEmpty();
    }

    @Test
    void nothingArrivesAfterACancellation() {
        Recorder<Letter> recorder = new Recorder<>() {
            @Override
            public void onNext(Letter letter) {
                super.onNext(letter);
                if (items.size() == 15) {
                    subscription.cancel();
                }
            }
        };
        letters.publisher().subscribe(recorder);
        recorder.subscription.request(Long.MAX_VALUE);
        recorder.awaitItems(15);
        recorder.subscription.request(10);
        assertThat(recorder.items).hasSize(15);
        assertThat(recorder.signals).isEmpty();
        assertThat(requests).hasValue(2);
    }

    @Test
    void aCancellationEndsTheRequestInProgress() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(TestServer.port())) {
            Recorder<String> recorder = new Recorder<>();
            TidemarkClient.of(URI.create("http://localhost:" + proxy.port()))
                    .feed("snails", json -> json)
                    .publisher()
                    .subscribe(recorder);
            recorder.subscription.request(1);
            Await.until("the client is connected", () -> proxy.connections() == 1);
            recorder.subscription.cancel();
            Await.until("the client has disconnected", () -> proxy.connections() == 0);
            assertThat(recorder.signals).isEmpty();
        }
    }

    @Test
    void aProblemIsTheOnlyTerminalSignal() {
        Recorder<Letter> recorder = new Recorder<>();
        letters.where("statsu", "sad").publisher().subscribe(recorder);
        recorder.subscription.request(Long.MAX_VALUE);
        recorder.awaitSignals(
                "failed: 400 unknown_parameter: there is no parameter \"statsu\" here; the nearest name is"
                        + " \"status\"");
        recorder.subscription.request(1);
        assertThat(recorder.signals).hasSize(1);
        assertThat(requests).hasValue(1);
    }

    @Test
    void theSubscriptionIsCanceledIfTheSubscriberThrows() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> thrown.set(e));
        try {
            Recorder<Letter> recorder = new Recorder<>() {
                @Override
                public void onNext(Letter letter) {
                    super.onNext(letter);
                    throw new IllegalStateException("a bug");
                }
            };
            letters.publisher().subscribe(recorder);
            recorder.subscription.request(5);
            Await.until("the exception is reported", () -> thrown.get() != null);
            assertThat(thrown.get()).hasMessage("a bug");
            assertThat(recorder.items).hasSize(1);
            assertThat(recorder.signals).isEmpty();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** Records items and terminal signals, and requests nothing by itself. */
    static class Recorder<T> implements Flow.Subscriber<T> {

        final List<T> items = new CopyOnWriteArrayList<>();
        final List<String> signals = new CopyOnWriteArrayList<>();
        Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void onNext(T item) {
            items.add(item);
        }

        @Override
        public void onError(Throwable failure) {
            signals.add("failed: " + failure.getMessage());
        }

        @Override
        public void onComplete() {
            signals.add("completed");
        }

        void awaitItems(int number) {
            Await.until(number + " items arrive", () -> items.size() >= number);
            assertThat(items).hasSize(number);
        }

        void awaitSignals(String... expected) {
            Await.until("the publisher ends", () -> !signals.isEmpty());
            assertThat(signals).containsExactly(expected);
        }
    }
}
