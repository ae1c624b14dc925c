package dev.tidemark.http.problem;

import java.time.Duration;

/** Limits the number of log lines in a time window, so that neither an attack nor an outage fills the log. */
final class LogRateLimit {

    private final int linesPerWindow;
    private final long windowNanos;
    private long windowStartNanos;
    private int remainingLines;
    private long omittedLines;

    /** @param nowNanos the time by {@link System#nanoTime} */
    LogRateLimit(int linesPerWindow, Duration window, long nowNanos) {
        this.linesPerWindow = linesPerWindow;
        this.windowNanos = window.toNanos();
        this.windowStartNanos = nowNanos;
        this.remainingLines = linesPerWindow;
    }

    /** @return the number of lines omitted since the last one logged; negative if this line must be omitted too */
    synchronized long tryAcquire(long nowNanos) {
        if (nowNanos - windowStartNanos >= windowNanos) {
            windowStartNanos = nowNanos;
            remainingLines = linesPerWindow;
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
