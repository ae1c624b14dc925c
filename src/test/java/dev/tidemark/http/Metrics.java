package dev.tidemark.http;

import static io.restassured.RestAssured.get;

/** What the server tells of itself. */
public final class Metrics {

    private Metrics() {}

    /** @param series with its labels, where it has any */
    public static double value(String series) {
        return get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
