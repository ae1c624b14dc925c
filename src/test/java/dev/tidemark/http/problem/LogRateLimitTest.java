package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogRateLimitTest {

    private static final long SECOND = 1_000_000_000;

    private final LogRateLimit budget = new LogRateLimit(2, 0);

    @Test
    void onlyTheLimitIsLoggedPerSecondAndTheNextLineCountsTheOmittedOnes() {
        assertThat(budget.tryAcquire(0)).isZero();
        assertThat(budget.tryAcquire(1)).isZero();
        assertThat(budget.tryAcquire(2)).isNegative();
        assertThat(budget.tryAcquire(SECOND - 1)).isNegative();
        assertThat(budget.tryAcquire(SECOND)).isEqualTo(2);
        assertThat(budget.tryAcquire(SECOND)).isZero();
        assertThat(budget.tryAcquire(SECOND)).isNegative();
    }

    @Test
    void anUnusedLimitIsNotCarriedOver() {
        assertThat(budget.tryAcquire(10 * SECOND)).isZero();
        assertThat(budget.tryAcquire(10 * SECOND)).isZero();
        assertThat(budget.tryAcquire(10 * SECOND)).isNegative();
    }
}
