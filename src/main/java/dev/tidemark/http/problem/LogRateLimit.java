package dev.tidemark.http.problem;

/** So many lines of a log in a second, that neither an attack nor an outage fills it. */
final class LogRateLimit {

    private static final long WINDOW = 1_000_000_000;

    private final int perSecond;
    private long windowStart;
    private int remaining;
    private long omitted;

    /** @param now on the clock of {@link System#nanoTime} */
    LogRateLimit(int perSecond, long now) {
        this.perSecond = perSecond;
        this.windowStart = now;
        this.remaining = perSecond;
    }

    /** @return how many lines were remaining out since the last one; negative, if this one is to be remaining out as well */
    synchronized long tryAcquire(long now) {
        if (now - windowStart >= WINDOW) {
            windowStart = now;
            remaining = perSecond;
        }
        if (remaining == 0) {
            omitted++;
            return -1;
        }
        remaining--;
        long previous = omitted;
        omitted = 0;
        return previous;
    }
}
