package dev.tidemark.http.export;

import java.util.function.LongSupplier;

/**
 * Computes how long an export pauses between its pages while other clients read pages. Exports and page requests share
 * database connections and threads, so without pauses, page requests would wait for each page of an export. Unless
 * the longest pause is reached, all exports of this process together read for about half of the time. Not thread-safe.
 */
final class ExportPauses {

    /** The longest pause. It limits how much a slow database delays an export. */
    private static final long MAX_PAUSE_NANOS = 500_000_000;

    private final LongSupplier pageCount;
    private final LongSupplier exportCount;
    private long pageCountBefore;
    private long endNanos;
    private long pauseNanos;

    /**
     * @param pageCount returns the number of pages that this process has served
     * @param exportCount returns the number of exports that are not waiting for their clients, including this one
     */
    ExportPauses(LongSupplier pageCount, LongSupplier exportCount) {
        this.pageCount = pageCount;
        this.exportCount = exportCount;
        this.pageCountBefore = pageCount.getAsLong();
    }

    /** Determines the pause after a page that the export has just read. */
    void recordRead(long startNanos, long endNanos) {
        long pause = (endNanos - startNanos) * (2 * exportCount.getAsLong() - 1);
        long pageCountNow = pageCount.getAsLong();
        this.endNanos = endNanos;
        this.pauseNanos = pageCountNow == pageCountBefore ? 0 : Math.min(pause, MAX_PAUSE_NANOS);
        this.pageCountBefore = pageCountNow;
    }

    /**
     * Returns how many milliseconds of the pause after the last page remain. The time in which the client receives the
     * page counts as part of the pause.
     */
    long remainingMillis(long nowNanos) {
        return Math.max(0, Math.round((pauseNanos - (nowNanos - endNanos)) / 1e6));
    }
}
