package dev.tidemark.http.export;

import java.util.function.LongSupplier;

/**
 * Computes how long an export pauses between its pages while other clients read pages. Unless the pauses reach their
 * maximum length, all exports of this process together read for at most half of the time. Exports and page requests
 * share database connections and threads, so without pauses, page requests would wait for each page of an export. Not
 * thread-safe.
 */
final class ExportPace {

    /** The longest pause, so that a slow database does not stop an export altogether. */
    private static final long MAX_PAUSE_NANOS = 500_000_000;

    private final LongSupplier pages;
    private final LongSupplier exports;
    private long pagesBefore;
    private long endNanos;
    private long pauseNanos;

    /**
     * @param pages the number of pages that have been served to all clients
     * @param exports the number of exports that are not waiting for their clients, including this one
     */
    ExportPace(LongSupplier pages, LongSupplier exports) {
        this.pages = pages;
        this.exports = exports;
        this.pagesBefore = pages.getAsLong();
    }

    /** Records that the export has read a page. */
    void recordRead(long startNanos, long endNanos) {
        long pause = (endNanos - startNanos) * (2 * exports.getAsLong() - 1);
        long pagesNow = pages.getAsLong();
        this.endNanos = endNanos;
        this.pauseNanos = pagesNow == pagesBefore ? 0 : Math.min(pause, MAX_PAUSE_NANOS);
        this.pagesBefore = pagesNow;
    }

    /**
     * Returns how many milliseconds of the pause remain. The time in which the client receives the page counts as part
     * of the pause.
     */
    long pauseMillis(long nowNanos) {
        return Math.max(0, Math.round((pauseNanos - (nowNanos - endNanos)) / 1e6));
    }
}
