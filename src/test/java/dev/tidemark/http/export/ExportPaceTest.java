package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExportPaceTest {

    private static final long MILLI = 1_000_000;

    private long pages = 100;
    private long exports = 1;
    private final ExportPace pace = new ExportPace(() -> pages, () -> exports);

    @Test
    void anExportDoesNotRestWhileNobodyReadsPages() {
        pace.recordRead(0, 4 * MILLI);
        assertThat(pace.pauseMillis(4 * MILLI)).isZero();
    }

    @Test
    void aSingleExportRestsForAsLongAsItHasRead() {
        pages = 101;
        pace.recordRead(0, 4 * MILLI);
        assertThat(pace.pauseMillis(4 * MILLI)).isEqualTo(4);
    }

    @Test
    void fourExportsTogetherReadForHalfOfTheTime() {
        pages = 101;
        exports = 4;
        pace.recordRead(0, 4 * MILLI);
        assertThat(pace.pauseMillis(4 * MILLI)).isEqualTo(28);
    }

    @Test
    void theTimeInWhichTheClientReceivesThePageCountsAsRest() {
        pages = 101;
        pace.recordRead(0, 4 * MILLI);
        assertThat(pace.pauseMillis(7 * MILLI)).isEqualTo(1);
        assertThat(pace.pauseMillis(9 * MILLI)).isZero();
    }

    @Test
    void aRestEndsWhenNoMorePagesAreRead() {
        pages = 101;
        pace.recordRead(0, 4 * MILLI);
        pace.recordRead(8 * MILLI, 12 * MILLI);
        assertThat(pace.pauseMillis(12 * MILLI)).isZero();
    }

    @Test
    void aPageThatTakesLongCausesALimitedRest() {
        pages = 101;
        exports = 16;
        pace.recordRead(0, 4_000 * MILLI);
        assertThat(pace.pauseMillis(4_000 * MILLI)).isEqualTo(500);
    }
}
