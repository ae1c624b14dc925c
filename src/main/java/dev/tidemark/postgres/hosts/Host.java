package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.HostState.Answering;
import dev.tidemark.postgres.hosts.HostState.Unavailable;
import dev.tidemark.postgres.hosts.HostState.Unpolled;
import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * One of several hosts of the database, with its position and use according to the last polls and reads. Thread-safe.
 */
public final class Host {

    /** What a host can be used for. */
    public enum Use {
        /** The primary. It serves the reads that prefer it, and the reads that no standby can serve. */
        PRIMARY,
        /** A standby that serves pages. */
        STANDBY,
        /** A standby that lags too much. It serves pages only if no other host can. */
        LATE,
        /**
         * A host that serves no pages, because its data does not come from the primary: another primary, a standby
         * that does not follow the current primary, or a host of another database cluster.
         */
        DIVERGED,
        /** A host that does not answer, or that rejects polls. */
        UNAVAILABLE
    }

    /** A lag below this can be due to the time between two polls. */
    private static final Duration NEGLIGIBLE_LAG = Duration.ofMillis(250);

    private final String name;
    private final int index;
    private final LongAdder reads = new LongAdder();
    private final AtomicReference<HostState> state = new AtomicReference<>(new Unpolled());

    /** Empty until the first poll. */
    private volatile Optional<Use> use = Optional.empty();

    private volatile Duration lag = Duration.ZERO;
    private volatile Optional<String> problem = Optional.empty();

    Host(String name, int index) {
        this.name = name;
        this.index = index;
    }

    /** The address and the port of the host. */
    public String name() {
        return name;
    }

    /** The index of the host in the configured list of hosts, starting at 0. */
    public int index() {
        return index;
    }

    public Use use() {
        return use.orElse(Use.UNAVAILABLE);
    }

    /** How long a standby has been behind the primary; zero for any other host. */
    public Duration lag() {
        return lag;
    }

    /**
     * Whether the host had reached the floor at the last poll or read.
     *
     * @param floor empty if any position is far enough
     */
    boolean isKnownToHaveReached(Optional<Floor> floor) {
        return state.get() instanceof Answering known
                && (floor.isEmpty() || known.reached().hasReached(floor.get()));
    }

    /**
     * Whether the host is known to have reached the floor, or has probably reached it, because it was hardly behind
     * the primary at the last poll.
     */
    boolean mayHaveReached(Optional<Floor> floor) {
        return isKnownToHaveReached(floor) || state.get() instanceof Answering && lag.compareTo(NEGLIGIBLE_LAG) < 0;
    }

    /**
     * Whether the host has reached the floor, given a position that it has reported.
     *
     * @param floor empty if any position is far enough
     */
    public boolean hasReached(LogPosition reportedPosition, Optional<Floor> floor) {
        // The timeline of an unavailable host is unknown.
        return state.get() instanceof Answering known
                && (floor.isEmpty()
                        || reportedPosition.withTimeline(known.timeline()).hasReached(floor.get()));
    }

    /**
     * Counts a read that the host has answered. Records the position that the host reported after the read, if it is
     * later than the known position.
     *
     * @return a floor that includes what was read
     */
    public Floor recordRead(LogPosition reportedPosition) {
        reads.increment();
        LogPosition completed = reportedPosition.withTimeline(state().timeline());
        state.updateAndGet(
                before -> before instanceof Answering known && known.reached().appliedLsn() < completed.appliedLsn()
                        ? new Answering(known.timeline(), completed)
                        : before);
        return completed.floor();
    }

    long reads() {
        return reads.sum();
    }

    HostState state() {
        return Objects.requireNonNull(state.get());
    }

    /**
     * Records the position that a poll has found. If a later LSN or timeline is already known, it is kept: until the
     * host becomes unavailable, all polls use the same connection, so neither can have gone back.
     */
    void recordPoll(LogPosition polledPosition) {
        state.updateAndGet(before -> before instanceof Answering known
                ? later(known, polledPosition)
                : new Answering(polledPosition.timeline(), polledPosition));
    }

    private static Answering later(Answering known, LogPosition polled) {
        Timeline timeline = known.timeline().id() > polled.timeline().id() ? known.timeline() : polled.timeline();
        LogPosition reached = known.reached();
        return new Answering(
                timeline,
                reached.appliedLsn() <= polled.appliedLsn()
                        ? polled.withTimeline(timeline)
                        : new LogPosition(
                                polled.isPrimary(), timeline, reached.appliedLsn(), reached.shownLsn(), 0, 0));
    }

    void markUnavailable(Throwable cause) {
        state.updateAndGet(before -> new Unavailable(cause, before.timeline()));
    }

    /**
     * @param newLag how long a standby has been behind the primary; zero for any other host
     * @param newProblem why the host serves nothing; empty if it serves reads
     * @return whether the use has changed
     */
    boolean setUse(Use newUse, Duration newLag, Optional<String> newProblem) {
        Optional<Use> before = use;
        use = Optional.of(newUse);
        lag = newLag;
        problem = newProblem;
        return !before.equals(use);
    }

    /** Why the host serves nothing; empty if it serves reads. */
    Optional<String> problem() {
        return problem;
    }

    /** Describes the use, such as {@code standby, behind by 12 ms} or {@code unavailable: Connection refused}. */
    public String describe() {
        return use().name().toLowerCase(Locale.ROOT)
                + (lag.isZero() ? "" : ", behind by " + lag.toMillis() + " ms")
                + problem.map(why -> ": " + why).orElse("");
    }

    @Override
    public String toString() {
        return name;
    }
}
