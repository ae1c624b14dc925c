package dev.tidemark;

import java.time.Duration;

/** Waits until a condition holds. It is checked less and less often, because most checks cost a request or a statement. */
public final class Await {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final long SHORTEST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 40;

    /** A condition that a test waits for. An exception from it fails the test. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    /** @param what describes the condition, for the message if it never holds */
    public static void until(String what, Condition condition) {
        long start = System.nanoTime();
        long pause = SHORTEST_PAUSE_MILLIS;
        try {
            while (!condition.holds()) {
                if (System.nanoTime() - start > LONGEST.toNanos()) {
                    throw new AssertionError("not within " + LONGEST + ": " + what);
                }
                Thread.sleep(pause);
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
            }
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new AssertionError(what, failure);
        }
    }
}
