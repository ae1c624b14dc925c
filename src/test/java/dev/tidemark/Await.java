package dev.tidemark;

import java.time.Duration;

/** Waits until a condition holds. */
public final class Await {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** A condition that a test waits for. An exception from it fails the test. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    /** @param what describes the condition, for the message if it does not hold within a minute */
    public static void until(String what, Condition condition) {
        long start = System.nanoTime();
        try {
            while (!condition.holds()) {
                if (System.nanoTime() - start > LONGEST.toNanos()) {
                    throw new AssertionError("not within " + LONGEST + ": " + what);
                }
                Thread.sleep(5);
            }
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new AssertionError(what, failure);
        }
    }
}
