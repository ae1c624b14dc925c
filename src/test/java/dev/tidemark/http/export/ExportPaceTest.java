package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExportPaceTest {

    private static final long MILLI = 1_000_000;

    private final ExportPace pace = new ExportPace(100);

    @Test
    void anExportDoesNotRestWhileNobodyReadsPages() {
        pace.read(0, 4 * MILLI, 100, 1);
        assertThat(pace.restMillis(4 * MILLI)).isZero();
    }

    @Test
    void aSingleExportRestsForAsLongAsItHasRead() {
        pace.read(0, 4 * MILLI, 101, 1);
        assertThat(pace.restMillis(4 * MILLI)).isEqualTo(4);
    }

    @Test
    void fourExportsTogetherReadForHalfOfTheTime() {
        pace.read(0, 4 * MILLI, 101, 4);
        assertThat(pace.restMillis(4 * MILLI)).isEqualTo(28);
    }

    @Test
    void theTimeForWhichTheClientTakesThePageCountsAsRest() {
        pace.read(0, 4 * MILLI, 101, 1);
        assertThat(pace.restMillis(7 * MILLI)).isEqualTo(1);
        assertThat(pace.restMillis(9 * MILLI)).isZero();
    }

    @Test
    void aRestEndsWhenNoMorePagesAreRead() {
        pace.read(0, 4 * MILLI, 101, 1);
        pace.read(8 * MILLI, 12 * MILLI, 101, 1);
        assertThat(pace.restMillis(12 * MILLI)).isZero();
    }

    @Test
    void aPageThatTakesLongCausesALimitedRest() {
        pace.read(0, 4_000 * MILLI, 101, 16);
        assertThat(pace.restMillis(4_000 * MILLI)).isEqualTo(500);
    }
}
