package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.hosts.LogPosition.History;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** One of several hosts of the database, as its last poll has found it. Thread-safe; only its {@link HostMonitor} changes it. */
public final class Host {

    /** What a host can be used for. */
    public enum Use {
        /** The primary: serves what no standby can. */
        PRIMARY,
        /** A standby that serves pages. */
        STANDBY,
        /** A standby that lags too much. Serves pages only if nothing else is left. */
        LATE,
        /** Follows another history than the newest that is known, such as that of a primary which was replaced. */
        ABANDONED,
        /** Does not answer. */
        AWAY
    }

    /** About the time between two polls. */
    private static final Duration HARDLY = Duration.ofMillis(250);

    private final String name;
    private final int index;
    private final LongAdder reads = new LongAdder();
    private final AtomicReference<LogPosition> position = new AtomicReference<>();

    /** As the last poll has found it. */
    private volatile History history;

    /** {@code null} until it was asked. */
    private volatile Use use;

    private volatile Duration lag = Duration.ZERO;
    private volatile Throwable failure;

    Host(String name, int index) {
        this.name = name;
        this.index = index;
    }

    /** Its address and port. */
    public String name() {
        return name;
    }

    /** Its place among the hosts, from 0. */
    public int index() {
        return index;
    }

    public Use use() {
        return use == null ? Use.AWAY : use;
    }

    /** For how long it has been behind the primary; zero for a primary. */
    public Duration lag() {
        return lag;
    }

    /** Whether it has probably reached the floor: it had at the last poll or read, or was hardly behind the primary then. */
    boolean canHaveReached(Floor floor) {
        LogPosition known = position.get();
        return known != null && (lag.compareTo(HARDLY) < 0 || known.hasReached(floor));
    }

    /**
     * Whether it has reached the floor at a position that it has read on itself.
     *
     * @param floor empty for any
     */
    public boolean hasReached(LogPosition read, Optional<Floor> floor) {
        LogPosition known = position.get();
        // The history of a host that is away is not known any more.
        return known != null && (floor.isEmpty() || read.in(history).hasReached(floor.get()));
    }

    /**
     * Counts a read that it has answered.
     *
     * @return the floor of what was read before this position
     */
    public Floor answered(LogPosition read) {
        reads.increment();
        LogPosition located = read.in(history);
        position.updateAndGet(before -> before == null || before.applied() >= located.applied() ? before : located);
        return located.floor();
    }

    long reads() {
        return reads.sum();
    }

    /** The last known position; {@code null} while it is away. */
    LogPosition position() {
        return position.get();
    }

    /** Why it is away; {@code null} if it is not, or was not asked yet. */
    public Throwable failure() {
        return failure;
    }

    /** @param polled on the same connection as before, if it has not been away: its log and its timeline only grow */
    void at(LogPosition polled) {
        History last = position.get() == null ? polled.history() : history;
        history = last.timeline() > polled.history().timeline() ? last : polled.history();
        position.updateAndGet(before -> before == null || before.applied() <= polled.applied()
                ? polled.in(history)
                : new LogPosition(polled.isPrimary(), history, before.applied(), before.shown()));
        failure = null;
    }

    void away(Throwable why) {
        failure = why;
        position.set(null);
    }

    /** @return whether the use has changed */
    boolean use(Use now, Duration behind) {
        Use before = use;
        use = now;
        lag = behind;
        return before != now;
    }

    @Override
    public String toString() {
        return name;
    }
}
