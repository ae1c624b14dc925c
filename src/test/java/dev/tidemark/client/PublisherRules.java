package dev.tidemark.client;

import dev.tidemark.Await;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;
import org.testng.annotations.Test;

/** Verifies a publisher with the Technology Compatibility Kit (TCK) of Reactive Streams. */
final class PublisherRules {

    /**
     * The kit waits at most this long for a signal. Some of its rules also wait that long for a signal that must
     * not arrive.
     */
    private static final int WAIT_MILLIS = 5_000;

    private static final int SILENCE_MILLIS = 50;

    /** The kit gives the garbage collector less than half a second for this, which a busy machine can exceed. */
    private static final String DROPPED_SUBSCRIBERS =
            "required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber";

    private PublisherRules() {}

    static TestEnvironment environment() {
        return new TestEnvironment(WAIT_MILLIS, SILENCE_MILLIS);
    }

    /**
     * Returns a test of each rule. Several rules are verified at a time, because most of their time is spent waiting for
     * signals that must not arrive.
     *
     * @param verification creates the verification of one rule
     */
    static Stream<DynamicTest> tests(Supplier<FlowPublisherVerification<?>> verification) {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<DynamicTest> tests = Stream.of(FlowPublisherVerification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(rule -> test(
                        rule.getName(),
                        threads.submit(() -> rule.getName().equals(DROPPED_SUBSCRIBERS)
                                ? verifyDropsSubscriber(verification.get())
                                : verify(rule, verification.get()))))
                .toList();
        threads.shutdown();
        return tests.stream();
    }

    private static <T> Void verifyDropsSubscriber(FlowPublisherVerification<T> verification) {
        Flow.Publisher<T> publisher = verification.createFlowPublisher(3);
        WeakReference<?> subscriber = canceledSubscriber(publisher);
        try {
            Await.until("the publisher has dropped its canceled subscriber", () -> {
                System.gc();
                return subscriber.refersTo(null);
            });
        } finally {
            Reference.reachabilityFence(publisher);
        }
        return null;
    }

    private static <T> WeakReference<?> canceledSubscriber(Flow.Publisher<T> publisher) {
        ItemPublisherTest.Recorder<T> recorder = new ItemPublisherTest.Recorder<>();
        publisher.subscribe(recorder);
        recorder.subscription.request(1);
        recorder.awaitItems(1);
        recorder.subscription.cancel();
        return new WeakReference<>(recorder);
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

    private static Void verify(Method rule, FlowPublisherVerification<?> verification) throws Exception {
        verification.setUp();
        try {
            rule.invoke(verification);
            return null;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SkipException skipped) {
                throw skipped;
            }
            throw new AssertionError(e.getCause());
        }
    }
}
