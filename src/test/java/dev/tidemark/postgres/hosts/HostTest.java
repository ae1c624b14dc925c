package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostTest {

    private static final int CLUSTER = 7;
    private static final Timeline UNKNOWN_TIMELINE = new Timeline(0, 0);

    private final Host host = new Host("standby:5432", 1);

    @Test
    void aReadThatReportsAnEarlierPositionHasNotReachedTheFloor() {
        host.recordPoll(standby(new Timeline(CLUSTER, 1), 500));
        assertThat(host.hasReached(standby(UNKNOWN_TIMELINE, 299), floor(1, 300)))
                .isFalse();
        assertThat(host.hasReached(standby(UNKNOWN_TIMELINE, 300), floor(1, 300)))
                .isTrue();
    }

    @Test
    void aReadOfAStandbyIsOnTheTimelineOfTheLatestPoll() {
        host.recordPoll(standby(new Timeline(CLUSTER, 1), 500));
        assertThat(host.hasReached(standby(UNKNOWN_TIMELINE, 500), floor(2, 300)))
                .isFalse();
        host.recordPoll(standby(new Timeline(CLUSTER, 2), 500));
        assertThat(host.hasReached(standby(UNKNOWN_TIMELINE, 500), floor(2, 300)))
                .isTrue();
    }

    /** After a promotion, the standby can show changes of the new timeline before the next poll. */
    @Test
    void aReadOfAStandbyIsOnTheTimelineThatItReceivesIfThatIsLater() {
        host.recordPoll(standby(new Timeline(CLUSTER, 1), 500));
        LogPosition read = standby(new Timeline(0, 2), 600);
        assertThat(host.hasReached(read, floor(2, 600))).isTrue();
        assertThat(host.recordRead(read)).isEqualTo(new Floor(CLUSTER, 2, 600));
        host.recordPoll(standby(new Timeline(CLUSTER, 3), 600));
        assertThat(host.recordRead(read)).isEqualTo(new Floor(CLUSTER, 3, 600));
    }

    /** A failing poll can mean that the name now leads to another server, whose timeline is unknown. */
    @Test
    void anUnavailableHostHasReachedNoState() {
        host.recordPoll(standby(new Timeline(CLUSTER, 1), 500));
        host.markUnavailable(new IllegalStateException("connection closed"));
        assertThat(host.hasReached(standby(UNKNOWN_TIMELINE, 500), floor(1, 300)))
                .isFalse();
        assertThat(host.hasReached(standby(UNKNOWN_TIMELINE, 500), Optional.empty()))
                .isFalse();
    }

    /** Reads return in any order, so an earlier one can be recorded after a later one. */
    @Test
    void theKnownPositionNeverGoesBack() {
        host.recordPoll(standby(new Timeline(CLUSTER, 1), 100));
        host.recordRead(standby(UNKNOWN_TIMELINE, 500));
        host.recordRead(standby(UNKNOWN_TIMELINE, 200));
        host.recordPoll(standby(new Timeline(CLUSTER, 1), 300));
        assertThat(host.isKnownToHaveReached(floor(1, 500))).isTrue();
        assertThat(host.isKnownToHaveReached(floor(1, 501))).isFalse();
    }

    private static LogPosition standby(Timeline timeline, long position) {
        return new LogPosition(false, timeline, position, position, 0, 0);
    }

    private static Optional<Floor> floor(int timeline, long position) {
        return Optional.of(new Floor(CLUSTER, timeline, position));
    }
}
