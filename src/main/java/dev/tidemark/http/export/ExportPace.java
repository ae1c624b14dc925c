package dev.tidemark.http.export;

/**
 * Lets an export rest between its pages while other clients read pages, so that all exports of this process together read for at most
 * half of the time. Exports and pages share the connections to the database and the threads, so pages would wait for each page of an
 * export otherwise. Not thread-safe.
 */
final class ExportPace {

    /** A slow database must not stop an export altogether. */
    private static final long MAX_REST_NANOS = 500_000_000;

    private long pagesBefore;
    private long endNanos;
    private long restNanos;

    /** @param pages the number of pages that have been served to all clients */
    ExportPace(long pages) {
        pagesBefore = pages;
    }

    /**
     * The export has read a page.
     *
     * @param pages the number of pages that have been served to all clients
     * @param exports the number of exports that are reading
     */
    void read(long startNanos, long endNanos, long pages, int exports) {
        long rest = (endNanos - startNanos) * (2L * exports - 1);
        this.endNanos = endNanos;
        this.restNanos = pages == pagesBefore ? 0 : Math.min(rest, MAX_REST_NANOS);
        this.pagesBefore = pages;
    }

    /** What is left of the rest, in milliseconds. The time for which the client takes the page counts as rest. */
    long restMillis(long nowNanos) {
        return Math.max(0, Math.round((restNanos - (nowNanos - endNanos)) / 1e6));
    }
}
