package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The answers come at times that the test chooses. */
class WaitLimiterTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final WaitLimiter limiter = new WaitLimiter(Duration.ofMillis(500), 1, 128, 4096);
    private long now = System.nanoTime();

    /** Two hundred clients, each of which sends a statement as soon as its previous one is answered. */
    @Test
    void aPauseOfTheDatabaseRejectsNoStatement() {
        for (int i = 0; i < 200; i++) {
            assertThat(limiter.tryEnter(1)).isTrue();
        }
        answerAfter(200 * MILLI);
        for (int i = 0; i < 2_000; i++) {
            assertThat(limiter.tryEnter(1)).isTrue();
            answerAfter(MILLI / 10);
        }
    }

    @Test
    void aStatementThatWouldWaitTooLongIsRejected() {
        for (int i = 0; i < 200; i++) {
            assertThat(limiter.tryEnter(1)).isTrue();
        }
        for (int i = 0; i < 60; i++) {
            answerAfter(20 * MILLI);
        }
        assertThat(limiter.inFlightCount()).isEqualTo(140);
        assertThat(limiter.tryEnter(1)).isFalse();
        while (limiter.inFlightCount() >= 128) {
            answerAfter(20 * MILLI);
        }
        assertThat(limiter.tryEnter(1)).as("so few are always accepted").isTrue();
    }

    private void answerAfter(long nanos) {
        now += nanos;
        limiter.recordAnswer(now);
    }
}
