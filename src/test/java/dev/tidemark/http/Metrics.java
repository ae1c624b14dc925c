package dev.tidemark.http;

import io.restassured.RestAssured;

/** The metrics that the server under test exports. */
public final class Metrics {

    private Metrics() {}

    /** All metrics, in the Prometheus text format. */
    public static String all() {
        return RestAssured.get("/q/metrics").asString();
    }

    /**
     * @param series the name of a metric, followed by labels if it has any
     * @return 0 if the server has no such series
     */
    public static double value(String series) {
        return value(all(), series);
    }

    /** @param metrics in the Prometheus text format */
    public static double value(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
