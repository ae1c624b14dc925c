package dev.tidemark.http.problem;

/** Limits the number of log lines per second, so that neither an attack nor an outage fills the log. */
final class LogRateLimit {

    private static final long WINDOW_NANOS = 1_000_000_000;

    private final int linesPerSecond;
    private long windowStartNanos;
    private int remainingLines;
    private long omittedLines;

    /** @param nowNanos the time by {@link System#nanoTime} */
    LogRateLimit(int linesPerSecond, long nowNanos) {
        this.linesPerSecond = linesPerSecond;
        this.windowStartNanos = nowNanos;
        this.remainingLines = linesPerSecond;
    }

    /** @return the number of lines omitted since the last one logged; negative if this line must be omitted too */
    synchronized long tryAcquire(long nowNanos) {
        if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
            windowStartNanos = nowNanos;
            remainingLines = linesPerSecond;
        }
        if (remainingLines == 0) {
            omittedLines++;
            return -1;
        }
        remainingLines--;
        long previous = omittedLines;
        omittedLines = 0;
        return previous;
    }
}
