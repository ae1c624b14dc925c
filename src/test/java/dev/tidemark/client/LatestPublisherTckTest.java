package dev.tidemark.client;

import dev.tidemark.BesideQuarkusTests;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.flow.FlowPublisherVerification;

/** Verifies the publisher of live lists with the {@link PublisherRules}. */
@BesideQuarkusTests
class LatestPublisherTckTest {

    private static final long PAUSE_NANOS = 1_000_000;

    private static final LatestPublisher<Integer> ENDLESS = new LatestPublisher<>();
    private static final Thread COUNTER = new Thread(LatestPublisherTckTest::count, "counter");

    private static void count() {
        for (int i = 0; !Thread.interrupted(); i++) {
            ENDLESS.set(i);
            ENDLESS.deliver();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @BeforeAll
    static void startCounting() {
        COUNTER.setDaemon(true);
        COUNTER.start();
    }

    @AfterAll
    static void stopCounting() {
        COUNTER.interrupt();
    }

    @TestFactory
    Stream<DynamicTest> rules() {
        return PublisherRules.tests(CounterVerification::new);
    }

    /** The rules of the kit, applied to a publisher of a number that is always changing. */
    private static final class CounterVerification extends FlowPublisherVerification<Integer> {

        CounterVerification() {
            super(PublisherRules.environment());
        }

        @Override
        public Flow.Publisher<Integer> createFlowPublisher(long elements) {
            return ENDLESS;
        }

        @Override
        public Flow.Publisher<Integer> createFailedFlowPublisher() {
            LatestPublisher<Integer> failed = new LatestPublisher<>();
            failed.end(new FeedException("failed", null));
            return failed;
        }

        @Override
        public long maxElementsFromPublisher() {
            return publisherUnableToSignalOnComplete();
        }
    }
}
