package dev.tidemark.http.problem;

/** Limits the number of log lines per second, so that neither an attack nor an outage fills the log. */
final class LogRateLimit {

    private static final long WINDOW_NANOS = 1_000_000_000;

    private final int perSecond;
    private long windowStartNanos;
    private int remaining;
    private long omitted;

    /** @param nowNanos the time by {@link System#nanoTime} */
    LogRateLimit(int perSecond, long nowNanos) {
        this.perSecond = perSecond;
        this.windowStartNanos = nowNanos;
        this.remaining = perSecond;
    }

    /** @return the number of lines omitted since the last one logged; negative if this line must be omitted too */
    synchronized long tryAcquire(long nowNanos) {
        if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
            windowStartNanos = nowNanos;
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
