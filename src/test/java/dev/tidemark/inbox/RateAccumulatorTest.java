package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RateAccumulatorTest {

    private static final long TICK_NANOS = 50_000_000;

    @Test
    void ratesAreExactEvenBelowOnePerTick() {
        var due = new RateAccumulator(new Rates(10, 1, 100), 0);
        var inserts = 0;
        var edits = 0;
        var deletes = 0;

        for (var tick = 1; tick <= 200; tick++) {
            var now = due.takeDue(tick * TICK_NANOS);
            inserts += now.inserts();
            edits += now.edits();
            deletes += now.deletes();
        }

        assertThat(inserts).isBetween(99, 100);
        assertThat(edits).isBetween(9, 10);
        assertThat(deletes).isBetween(999, 1000);
    }

    @Test
    void aPauseIsNotCompensatedFor() {
        var due = new RateAccumulator(new Rates(100, 0, 0), 0);

        assertThat(due.takeDue(3600 * 20 * TICK_NANOS).inserts()).isEqualTo(50);
    }

    @Test
    void halfOfTheChangesAreNewMessages() {
        assertThat(Rates.of(20)).isEqualTo(new Rates(10, 6, 4));
        assertThat(Rates.of(1)).isEqualTo(new Rates(1, 0, 0));
    }

    @Test
    void aRateIsBounded() {
        assertThatThrownBy(() -> new Rates(-1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rates(0, 501, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
