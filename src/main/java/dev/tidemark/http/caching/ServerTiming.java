package dev.tidemark.http.caching;

/**
 * The time at which a read began. The header {@code Server-Timing} reports how long it has taken, with the waits for
 * connections and results. Requests that share a read report the same time.
 */
public record ServerTiming(long startNanos) {

    public static ServerTiming start() {
        return new ServerTiming(System.nanoTime());
    }

    /** Returns the value of the header, with the time since the start in milliseconds. */
    public String toHeader() {
        return header(System.nanoTime() - startNanos);
    }

    static String header(long nanos) {
        long micros = nanos / 1_000;
        int thousandths = (int) (micros % 1_000);
        return "db;dur=" + micros / 1_000 + '.' + (thousandths < 100 ? "0" : "") + (thousandths < 10 ? "0" : "")
                + thousandths;
    }
}
