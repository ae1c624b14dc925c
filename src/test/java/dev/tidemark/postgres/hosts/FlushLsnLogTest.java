package dev.tidemark.postgres.hosts;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlushLsnLogTest {

    private final FlushLsnLog log = new FlushLsnLog();

    @Test
    void aStandbyThatHasAppliedEverythingNeverLags() {
        log.add(100, at(0));
        assertThat(log.lag(100, at(3600))).isEqualTo(ZERO);
    }

    @Test
    void theLagBeginsWhenTheFirstMissingPositionWasWritten() {
        log.add(100, at(0));
        log.add(200, at(1));
        log.add(300, at(2));
        assertThat(log.lag(150, at(5))).isEqualTo(ofSeconds(4));
        assertThat(log.lag(99, at(5))).isEqualTo(ofSeconds(5));
        assertThat(log.lag(300, at(5))).isEqualTo(ZERO);
    }

    @Test
    void theLagOfAStandbyThatAppliesNothingGrows() {
        for (int second = 0; second < 7200; second++) {
            log.add(100 + second, at(second));
        }
        assertThat(log.lag(0, at(7200))).isGreaterThan(Duration.ofMinutes(9));
    }

    @Test
    void aNewPrimaryWithAnEarlierPositionStartsANewLog() {
        log.add(500, at(0));
        log.add(400, at(10));
        assertThat(log.lag(400, at(11))).isEqualTo(ZERO);
        log.add(450, at(12));
        assertThat(log.lag(400, at(15))).isEqualTo(ofSeconds(3));
    }

    private static long at(int second) {
        return ofSeconds(second).toNanos();
    }
}
