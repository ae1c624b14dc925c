package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import java.time.Duration;
import java.util.Locale;
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
         * A host that serves no pages, because its data does not come from the primary: another primary, a standby that
         * does not follow the current primary, or a host of another database cluster.
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
    private final AtomicReference<LogPosition> position = new AtomicReference<>();

    /** The latest timeline that polls have found since the host became available; {@code null} until the first poll. */
    private volatile Timeline timeline;

    /** {@code null} until the first poll. */
    private volatile Use use;

    private volatile Duration lag = Duration.ZERO;
    private volatile Throwable failure;
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
        return use == null ? Use.UNAVAILABLE : use;
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
        LogPosition known = position.get();
        return known != null && (floor.isEmpty() || known.hasReached(floor.get()));
    }

    /**
     * Whether the host is known to have reached the floor, or has probably reached it, because it was hardly behind the
     * primary at the last poll.
     */
    boolean mayHaveReached(Optional<Floor> floor) {
        return isKnownToHaveReached(floor) || position.get() != null && lag.compareTo(NEGLIGIBLE_LAG) < 0;
    }

    /**
     * Whether the host has reached the floor, given a position that it has reported.
     *
     * @param floor empty if any position is far enough
     */
    public boolean hasReached(LogPosition reportedPosition, Optional<Floor> floor) {
        LogPosition known = position.get();
        // The timeline of an unavailable host is unknown.
        return known != null
                && (floor.isEmpty() || reportedPosition.withTimeline(timeline).hasReached(floor.get()));
    }

    /**
     * Counts a read that the host has answered. Records the position that the host reported after the read, if it is
     * later than the known position.
     *
     * @return a floor that includes what was read
     */
    public Floor recordRead(LogPosition reportedPosition) {
        reads.increment();
        LogPosition completed = reportedPosition.withTimeline(timeline);
        position.updateAndGet(
                before -> before == null || before.appliedLsn() >= completed.appliedLsn() ? before : completed);
        return completed.floor();
    }

    long reads() {
        return reads.sum();
    }

    /** The last known position; {@code null} while the host is unavailable. */
    LogPosition position() {
        return position.get();
    }

    /** Why the host is unavailable; {@code null} if it is available, or has not been polled yet. */
    public Throwable failure() {
        return failure;
    }

    /**
     * Records the position that a poll has found. If a later LSN or timeline is already known, it is kept: until the
     * host becomes unavailable, all polls use the same connection, so neither can have gone back.
     */
    void recordPoll(LogPosition polledPosition) {
        Timeline last = position.get() == null ? polledPosition.timeline() : timeline;
        timeline = last.id() > polledPosition.timeline().id() ? last : polledPosition.timeline();
        position.updateAndGet(before -> before == null || before.appliedLsn() <= polledPosition.appliedLsn()
                ? polledPosition.withTimeline(timeline)
                : new LogPosition(polledPosition.isPrimary(), timeline, before.appliedLsn(), before.shownLsn()));
        failure = null;
    }

    void markUnavailable(Throwable cause) {
        failure = cause;
        position.set(null);
    }

    /**
     * @param newLag how long a standby has been behind the primary; zero for any other host
     * @param newProblem why the host serves nothing; empty if it serves reads
     * @return whether the use has changed
     */
    boolean setUse(Use newUse, Duration newLag, Optional<String> newProblem) {
        Use before = use;
        use = newUse;
        lag = newLag;
        problem = newProblem;
        return before != newUse;
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
