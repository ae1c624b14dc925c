package dev.tidemark.http.caching;

/**
 * Measures, for the header {@code Server-Timing}, how long a request waits for the database: for a connection and for
 * results.
 */
public record ServerTiming(long startNanos) {

    public static ServerTiming start() {
        return new ServerTiming(System.nanoTime());
    }

    /** @return the header, with the time until now in milliseconds */
    public String stop() {
        return header(System.nanoTime() - startNanos);
    }

    static String header(long nanos) {
        long micros = nanos / 1_000;
        int thousandths = (int) (micros % 1_000);
        return "db;dur=" + micros / 1_000 + '.' + (thousandths < 100 ? "0" : "") + (thousandths < 10 ? "0" : "")
                + thousandths;
    }
}
