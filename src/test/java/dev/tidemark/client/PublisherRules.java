package dev.tidemark.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
                .map(rule -> test(rule.getName(), threads.submit(() -> verify(rule, verification.get()))))
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
