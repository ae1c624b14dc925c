package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import org.junit.jupiter.api.Test;

class LogPositionTest {

    private static final int CLUSTER = 7;

    @Test
    void aStandbyHasReachedAFloorThatItHasApplied() {
        LogPosition standby = standby(1, 100);
        assertThat(standby.hasReached(floor(1, 100))).isTrue();
        assertThat(standby.hasReached(floor(1, 101))).isFalse();
        assertThat(new LogPosition(false, new Timeline(CLUSTER, 1), 100, 101).floor())
                .isEqualTo(floor(1, 101));
    }

    @Test
    void aHostOfAnOlderTimelineHasReachedNoFloorOfANewerOne() {
        assertThat(standby(1, 500).hasReached(floor(2, 100))).isFalse();
        assertThat(primary(1, 500).hasReached(floor(2, 100))).isFalse();
    }

    /** Changes that were not replicated before the promotion are lost on all hosts. */
    @Test
    void thePrimaryOfANewerTimelineHasReachedAllFloorsOfOlderOnes() {
        assertThat(primary(2, 100).hasReached(floor(1, 500))).isTrue();
        assertThat(standby(2, 100).hasReached(floor(1, 500))).isFalse();
        assertThat(standby(2, 500).hasReached(floor(1, 500))).isTrue();
    }

    @Test
    void theFloorOfAnotherClusterIsIgnored() {
        assertThat(standby(1, 100).hasReached(new Floor(CLUSTER + 1, 9, 900))).isTrue();
    }

    private static LogPosition primary(int timeline, long position) {
        return new LogPosition(true, new Timeline(CLUSTER, timeline), position, position);
    }

    private static LogPosition standby(int timeline, long position) {
        return new LogPosition(false, new Timeline(CLUSTER, timeline), position, position);
    }

    private static Floor floor(int timeline, long position) {
        return new Floor(CLUSTER, timeline, position);
    }
}
