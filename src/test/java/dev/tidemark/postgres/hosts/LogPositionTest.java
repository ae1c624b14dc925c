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
        assertThat(new LogPosition(false, new Timeline(CLUSTER, 1), 100, 101, 0, 0).floor())
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

    /** Transaction 7 has ended on the standby, and 5 has not. */
    @Test
    void thePrimaryHasReachedAFloorIfAllTransactionsThatAStandbyCanHaveShownHaveEnded() {
        Floor floor = new Floor(CLUSTER, 1, 100, 5, 8);
        assertThat(primary(1, 200, 7).hasReached(floor)).isFalse();
        assertThat(primary(1, 200, 8).hasReached(floor)).isTrue();
        assertThat(primary(2, 90, 7).hasReached(floor)).isTrue();
        assertThat(standby(1, 100).hasReached(floor)).isTrue();
    }

    @Test
    void onlyTheFloorOfAStandbyHasTransactions() {
        assertThat(new LogPosition(false, new Timeline(CLUSTER, 1), 100, 101, 5, 8).floor())
                .isEqualTo(new Floor(CLUSTER, 1, 101, 5, 8));
        assertThat(primary(1, 100, 8).floor()).isEqualTo(new Floor(CLUSTER, 1, 100));
    }

    /** A first page can be read on the primary while another one, which has shown more, is read on a standby. */
    @Test
    void theLaterOfTwoFloorsIncludesBoth() {
        Floor ofStandby = new Floor(CLUSTER, 1, 100, 5, 8);
        Floor ofPrimary = new Floor(CLUSTER, 1, 120);
        assertThat(ofStandby.later(ofPrimary)).isEqualTo(new Floor(CLUSTER, 1, 120, 5, 8));
        assertThat(ofPrimary.later(ofStandby)).isEqualTo(ofStandby.later(ofPrimary));
        assertThat(ofStandby.later(new Floor(CLUSTER, 2, 90))).isEqualTo(new Floor(CLUSTER, 2, 90));
        assertThat(new Floor(CLUSTER, 2, 90).later(ofStandby)).isEqualTo(new Floor(CLUSTER, 2, 90));
    }

    @Test
    void theFloorOfAnotherClusterIsIgnored() {
        assertThat(standby(1, 100).hasReached(new Floor(CLUSTER + 1, 9, 900))).isTrue();
    }

    private static LogPosition primary(int timeline, long position, long xmin) {
        return new LogPosition(true, new Timeline(CLUSTER, timeline), position, position, xmin, xmin);
    }

    private static LogPosition primary(int timeline, long position) {
        return new LogPosition(true, new Timeline(CLUSTER, timeline), position, position, 0, 0);
    }

    private static LogPosition standby(int timeline, long position) {
        return new LogPosition(false, new Timeline(CLUSTER, timeline), position, position, 0, 0);
    }

    private static Floor floor(int timeline, long position) {
        return new Floor(CLUSTER, timeline, position);
    }
}
