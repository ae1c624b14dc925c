package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * One of several hosts of the database, in the state that the last poll has found. Thread-safe; only its
 * {@link HostPoller} changes the state.
 */
public final class Host {

    /** What a host can be used for. */
    public enum Use {
        /** The primary, which serves what no standby can. */
        PRIMARY,
        /** A standby that serves pages. */
        STANDBY,
        /** A standby that lags too much. It serves pages only if no other host can. */
        LATE,
        /**
         * A host that serves no pages, because its data does not come from the primary: another primary, a standby that
         * does not follow the current primary, or a host of another database.
         */
        DIVERGED,
        /** A host that does not answer, or that cannot be polled. */
        UNAVAILABLE
    }

    /** A lag below this may be due to the time between two polls. */
    private static final Duration NEGLIGIBLE_LAG = Duration.ofMillis(250);

    private final String name;
    private final int index;
    private final LongAdder reads = new LongAdder();
    private final AtomicReference<LogPosition> position = new AtomicReference<>();

    /** The timeline that the last poll has found. */
    private volatile Timeline timeline;

    /** {@code null} until the first poll. */
    private volatile Use use;

    private volatile Duration lag = Duration.ZERO;
    private volatile Throwable failure;
    private volatile String problem;

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

    /** How long the host has been behind the primary; zero for a primary. */
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
     * Whether the host is known to have reached the floor, or probably has, because it was hardly behind the primary at
     * the last poll.
     */
    boolean canHaveReached(Optional<Floor> floor) {
        return isKnownToHaveReached(floor) || position.get() != null && lag.compareTo(NEGLIGIBLE_LAG) < 0;
    }

    /**
     * Whether the host has reached the floor, given a position that it has reported.
     *
     * @param floor empty if any position is far enough
     */
    public boolean hasReached(LogPosition read, Optional<Floor> floor) {
        LogPosition known = position.get();
        // The timeline of an unavailable host is unknown.
        return known != null && (floor.isEmpty() || read.withTimeline(timeline).hasReached(floor.get()));
    }

    /**
     * Counts a read that the host has answered, and records the position that it reported afterwards.
     *
     * @return the floor of what was read
     */
    public Floor recordRead(LogPosition read) {
        reads.increment();
        LogPosition located = read.withTimeline(timeline);
        position.updateAndGet(before -> before == null || before.applied() >= located.applied() ? before : located);
        return located.floor();
    }

    long reads() {
        return reads.sum();
    }

    /** The last known position; {@code null} while the host is unavailable. */
    LogPosition position() {
        return position.get();
    }

    /** Why the host is unavailable; {@code null} if it is available, or was not polled yet. */
    public Throwable failure() {
        return failure;
    }

    /**
     * Records the position that a poll has found.
     *
     * @param polled comes from the same connection as the previous poll, unless the host was unavailable since. Its LSN
     *     and its timeline can therefore only grow
     */
    void recordPoll(LogPosition polled) {
        Timeline last = position.get() == null ? polled.timeline() : timeline;
        timeline = last.id() > polled.timeline().id() ? last : polled.timeline();
        position.updateAndGet(before -> before == null || before.applied() <= polled.applied()
                ? polled.withTimeline(timeline)
                : new LogPosition(polled.isPrimary(), timeline, before.applied(), before.shown()));
        failure = null;
    }

    void unavailable(Throwable why) {
        failure = why;
        position.set(null);
    }

    /**
     * @param why the new {@link #problem}
     * @return whether the use has changed
     */
    boolean setUse(Use now, Duration behind, String why) {
        Use before = use;
        use = now;
        lag = behind;
        problem = why;
        return before != now;
    }

    /** Why the host serves nothing; {@code null} if it serves reads. */
    String problem() {
        return problem;
    }

    /** Describes the use, such as {@code standby, behind by 12 ms} or {@code unavailable: Connection refused}. */
    public String describe() {
        String why = problem;
        return use().name().toLowerCase(Locale.ROOT)
                + (lag.isZero() ? "" : ", behind by " + lag.toMillis() + " ms")
                + (why == null ? "" : ": " + why);
    }

    @Override
    public String toString() {
        return name;
    }
}
