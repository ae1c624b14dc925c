package dev.tidemark.http.problem;

/** Limits the number of log lines per second, so that neither an attack nor an outage fills the log. */
final class LogRateLimit {

    private static final long WINDOW = 1_000_000_000;

    private final int perSecond;
    private long windowStart;
    private int remaining;
    private long omitted;

    /** @param now the time by {@link System#nanoTime} */
    LogRateLimit(int perSecond, long now) {
        this.perSecond = perSecond;
        this.windowStart = now;
        this.remaining = perSecond;
    }

    /** @return the number of lines omitted since the last one logged; negative if this line must be omitted too */
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
