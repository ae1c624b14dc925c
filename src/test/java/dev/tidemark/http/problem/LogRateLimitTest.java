package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogRateLimitTest {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final LogRateLimit rateLimit = new LogRateLimit(2, Duration.ofSeconds(1), 0);

    @Test
    void linesBeyondTheLimitOfTheWindowAreOmittedAndCounted() {
        assertThat(rateLimit.tryAcquire(0)).isZero();
        assertThat(rateLimit.tryAcquire(1)).isZero();
        assertThat(rateLimit.tryAcquire(2)).isNegative();
        assertThat(rateLimit.tryAcquire(NANOS_PER_SECOND - 1)).isNegative();
        assertThat(rateLimit.tryAcquire(NANOS_PER_SECOND)).isEqualTo(2);
        assertThat(rateLimit.tryAcquire(NANOS_PER_SECOND)).isZero();
        assertThat(rateLimit.tryAcquire(NANOS_PER_SECOND)).isNegative();
    }

    @Test
    void anUnusedLimitIsNotCarriedOver() {
        assertThat(rateLimit.tryAcquire(10 * NANOS_PER_SECOND)).isZero();
        assertThat(rateLimit.tryAcquire(10 * NANOS_PER_SECOND)).isZero();
        assertThat(rateLimit.tryAcquire(10 * NANOS_PER_SECOND)).isNegative();
    }
}
