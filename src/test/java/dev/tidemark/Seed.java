package dev.tidemark;

import java.util.Random;

/**
 * The seeds of random tests. Each seed is printed with the class that uses it. {@code -Dseed=N} makes a test take the
 * same random numbers again, as far as these do not depend on the scheduling of threads.
 */
public final class Seed {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Seed() {}

    /** The system property {@code seed}, or a random number if it is not set. */
    public static long next() {
        return printed(STACK.getCallerClass());
    }

    /** A random number generator with the {@linkplain #next next seed}. */
    public static Random random() {
        return new Random(printed(STACK.getCallerClass()));
    }

    private static long printed(Class<?> user) {
        long seed = Long.getLong("seed", new Random().nextLong());
        System.out.println("SEED " + seed + " in " + user.getName());
        return seed;
    }
}
