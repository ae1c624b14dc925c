package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExportPausesTest {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private long pages = 100;
    private long exports = 1;
    private final ExportPauses pauses = new ExportPauses(() -> pages, () -> exports);

    @Test
    void anExportDoesNotPauseIfNoPagesAreServed() {
        pauses.recordRead(0, 4 * NANOS_PER_MILLI);
        assertThat(pauses.remainingMillis(4 * NANOS_PER_MILLI)).isZero();
    }

    @Test
    void aSingleExportPausesForAsLongAsItHasRead() {
        pages = 101;
        pauses.recordRead(0, 4 * NANOS_PER_MILLI);
        assertThat(pauses.remainingMillis(4 * NANOS_PER_MILLI)).isEqualTo(4);
    }

    @Test
    void fourExportsTogetherReadForHalfOfTheTime() {
        pages = 101;
        exports = 4;
        pauses.recordRead(0, 4 * NANOS_PER_MILLI);
        assertThat(pauses.remainingMillis(4 * NANOS_PER_MILLI)).isEqualTo(28);
    }

    @Test
    void theTimeInWhichTheClientReceivesThePageCountsAsPause() {
        pages = 101;
        pauses.recordRead(0, 4 * NANOS_PER_MILLI);
        assertThat(pauses.remainingMillis(7 * NANOS_PER_MILLI)).isEqualTo(1);
        assertThat(pauses.remainingMillis(9 * NANOS_PER_MILLI)).isZero();
    }

    @Test
    void anExportPausesNoLongerOncePagesAreNoLongerServed() {
        pages = 101;
        pauses.recordRead(0, 4 * NANOS_PER_MILLI);
        pauses.recordRead(8 * NANOS_PER_MILLI, 12 * NANOS_PER_MILLI);
        assertThat(pauses.remainingMillis(12 * NANOS_PER_MILLI)).isZero();
    }

    @Test
    void aPageThatTakesLongCausesALimitedPause() {
        pages = 101;
        exports = 16;
        pauses.recordRead(0, 4_000 * NANOS_PER_MILLI);
        assertThat(pauses.remainingMillis(4_000 * NANOS_PER_MILLI)).isEqualTo(500);
    }
}
