package dev.tidemark.http.fresh;

import static io.restassured.RestAssured.get;

/** What the server tells of its event streams. */
final class FreshMetrics {

    private FreshMetrics() {}

    static int streams() {
        return value("tidemark_fresh_streams ");
    }

    static int lists() {
        return value("tidemark_fresh_lists ");
    }

    static int looks() {
        return value("tidemark_fresh_looks_total ");
    }

    static int counts() {
        return value("tidemark_fresh_counts_total ");
    }

    private static int value(String series) {
        return get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(series.length())))
                .findFirst()
                .orElseThrow();
    }
}
