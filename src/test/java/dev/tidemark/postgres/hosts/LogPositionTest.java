package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.paging.Floor;
import org.junit.jupiter.api.Test;

class LogPositionTest {

    @Test
    void aStandbyHasReachedAFloorThatItHasApplied() {
        LogPosition standby = new LogPosition(false, 1, 100, 101);
        assertThat(standby.hasReached(new Floor(1, 100))).isTrue();
        assertThat(standby.hasReached(new Floor(1, 101))).isFalse();
        assertThat(standby.floor()).isEqualTo(new Floor(1, 101));
    }

    @Test
    void aHostOfAnOlderTimelineHasReachedNoFloorOfANewerOne() {
        assertThat(new LogPosition(false, 1, 500, 500).hasReached(new Floor(2, 100)))
                .isFalse();
        assertThat(new LogPosition(true, 1, 500, 500).hasReached(new Floor(2, 100)))
                .isFalse();
    }

    /** What was not replicated before the promotion is lost on every host. */
    @Test
    void thePrimaryOfANewerTimelineHasReachedAllFloorsOfOlderOnes() {
        assertThat(new LogPosition(true, 2, 100, 100).hasReached(new Floor(1, 500)))
                .isTrue();
        assertThat(new LogPosition(false, 2, 100, 100).hasReached(new Floor(1, 500)))
                .isFalse();
        assertThat(new LogPosition(false, 2, 500, 500).hasReached(new Floor(1, 500)))
                .isTrue();
    }
}
