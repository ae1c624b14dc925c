package dev.tidemark.client;

import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;
import org.testng.annotations.Test;

/** Verifies the client's publisher with the Technology Compatibility Kit (TCK) of Reactive Streams. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class ItemPublisherTckTest {

    @TestFactory
    Stream<DynamicTest> rules() {
        FeedList<Letter> letters = TidemarkClient.of(TestServer.url(""))
                .feed("letters", Letter::of)
                .limit(3);
        // The first request to a server takes longer than later ones.
        letters.page();
        // Several rules are verified at a time, because most of their time is spent waiting for signals that must not
        // arrive.
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<DynamicTest> tests = Stream.of(FlowPublisherVerification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(rule -> test(rule.getName(), threads.submit(() -> verify(rule, letters))))
                .toList();
        threads.shutdown();
        return tests.stream();
    }

    private static DynamicTest test(String name, Future<?> verification) {
        return DynamicTest.dynamicTest(name, () -> {
            try {
                verification.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof SkipException skipped
                        ? new TestAbortedException(skipped.getMessage())
                        : e.getCause();
            }
        });
    }

    private static Void verify(Method rule, FeedList<Letter> list) throws Exception {
        LettersVerification letters = new LettersVerification(list);
        letters.setUp();
        try {
            rule.invoke(letters);
            return null;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SkipException skipped) {
                throw skipped;
            }
            throw new AssertionError(e.getCause());
        }
    }

    /** The rules of the kit, applied to a publisher of up to a hundred letters, three on a page. */
    private static final class LettersVerification extends FlowPublisherVerification<Letter> {

        /**
         * The kit waits at most this long for a signal. Some of its rules also wait that long for a signal that must
         * not arrive.
         */
        private static final int WAIT_MILLIS = 5_000;

        private static final int SILENCE_MILLIS = 50;

        private final FeedList<Letter> list;

        LettersVerification(FeedList<Letter> list) {
            super(new TestEnvironment(WAIT_MILLIS, SILENCE_MILLIS));
            this.list = list;
        }

        @Override
        public Flow.Publisher<Letter> createFlowPublisher(long elements) {
            return list.where("id.lte", Long.toString(elements)).publisher();
        }

        @Override
        public Flow.Publisher<Letter> createFailedFlowPublisher() {
            // The publisher sends no request before an item is requested, so it cannot fail on subscription. The kit
            // then skips the rules for publishers that fail on subscription.
            return null;
        }

        @Override
        public long maxElementsFromPublisher() {
            return 100;
        }
    }
}
