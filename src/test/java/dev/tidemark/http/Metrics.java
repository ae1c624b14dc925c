package dev.tidemark.http;

/** The metrics that the server under test exports. */
public final class Metrics {

    private Metrics() {}

    /** All of them, as Prometheus reads them. */
    public static String all() {
        return TestClient.text(TestClient.get("/q/metrics"));
    }

    /** @param series with its labels, if it has any; 0 if the server has no such series */
    public static double value(String series) {
        return value(all(), series);
    }

    /** @param metrics as Prometheus reads them */
    public static double value(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
