package dev.tidemark.http.fresh;

import dev.tidemark.http.Metrics;

/** The metrics of event streams. */
final class FreshMetrics {

    private FreshMetrics() {}

    static int streams() {
        return value("tidemark_fresh_streams");
    }

    static int lists() {
        return value("tidemark_fresh_lists");
    }

    static int rounds() {
        return value("tidemark_fresh_rounds_total");
    }

    static int counts() {
        return value("tidemark_fresh_counts_total");
    }

    private static int value(String series) {
        return (int) Metrics.value(series);
    }
}
