package dev.tidemark.http.problem;

/** So many lines of a log in a second, that neither an attack nor an outage fills it. */
final class LineBudget {

    private static final long SECOND = 1_000_000_000;

    private final int perSecond;
    private long begun;
    private int left;
    private long leftOut;

    /** @param now on the clock of {@link System#nanoTime} */
    LineBudget(int perSecond, long now) {
        this.perSecond = perSecond;
        this.begun = now;
        this.left = perSecond;
    }

    /** @return how many lines were left out since the last one; negative, if this one is to be left out as well */
    synchronized long take(long now) {
        if (now - begun >= SECOND) {
            begun = now;
            left = perSecond;
        }
        if (left == 0) {
            leftOut++;
            return -1;
        }
        left--;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
