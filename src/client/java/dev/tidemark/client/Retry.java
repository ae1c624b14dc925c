package dev.tidemark.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a client retries temporary failures: failures to connect (except in the TLS handshake), broken connections,
 * timeouts, and responses with status 429, 502, 503, or 504, such as those with the codes {@code overloaded},
 * {@code unavailable}, {@code feed_unavailable}, and {@code timeout}. All requests are GETs, so a retry is harmless.
 *
 * @param attempts the number of attempts, the first one included
 * @param initialDelay the maximum delay after the first attempt; this maximum doubles with each attempt
 * @param maxDelay the maximum delay after any attempt; a longer {@code Retry-After} of the server still applies
 * @param maxRetryAfter the longest delay to wait for; if a delay is longer, usually because of {@code Retry-After},
 *     the request fails at once
 */
public record Retry(int attempts, Duration initialDelay, Duration maxDelay, Duration maxRetryAfter) {

    /**
     * Five attempts, with random delays of at most 0.5, 1, 2, and 4 seconds. If the server asks
     * for a longer delay, of at most two minutes, the client waits for that delay.
     */
    public static final Retry DEFAULT =
            new Retry(5, Duration.ofMillis(500), Duration.ofSeconds(15), Duration.ofMinutes(2));

    /** A single attempt. */
    public static final Retry NONE = new Retry(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    boolean allows(int attemptNumber, Duration delay) {
        return attemptNumber <= attempts && delay.compareTo(maxRetryAfter) <= 0;
    }

    /**
     * Returns a random delay, or the delay that the server asks for if that is longer. The random delay is between
     * half of the maximum and the maximum, so that clients that failed together do not retry together.
     */
    Duration delay(int attemptNumber, Duration retryAfter) {
        double maximum = Math.min((double) maxDelay.toNanos(), initialDelay.toNanos() * Math.pow(2, attemptNumber - 1));
        Duration delay =
                Duration.ofNanos((long) (maximum * ThreadLocalRandom.current().nextDouble(0.5, 1)));
        return delay.compareTo(retryAfter) > 0 ? delay : retryAfter;
    }
}
