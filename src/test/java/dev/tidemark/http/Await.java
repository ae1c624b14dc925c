package dev.tidemark.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what happens elsewhere, no longer than it takes. */
public final class Await {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LONGEST.toNanos()) {
                throw new AssertionError("not within " + LONGEST + ": " + what);
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
