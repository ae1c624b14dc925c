package dev.tidemark.postgres.hosts;

import dev.tidemark.paging.Floor;
import java.time.Duration;
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

    private final String name;
    private final int index;
    private final LongAdder reads = new LongAdder();
    private volatile LogPosition position;

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

    /** Whether it had reached the floor at its last poll, or was as far as the primary then, and so has probably reached it since. */
    boolean canHaveReached(Floor floor) {
        LogPosition known = position;
        return known != null && (lag.isZero() || known.hasReached(floor));
    }

    /** Counts a read that it has answered. */
    public void answered() {
        reads.increment();
    }

    long reads() {
        return reads.sum();
    }

    /** A position that it has read on itself, with the timeline that is known of it. */
    public LogPosition located(LogPosition read) {
        LogPosition known = position;
        return read.isPrimary() || known == null ? read : read.onTimeline(known.timeline());
    }

    /** The last known position; {@code null} while it is away. */
    LogPosition position() {
        return position;
    }

    /** Why it is away; {@code null} if it is not, or was not asked yet. */
    public Throwable failure() {
        return failure;
    }

    /** @param next of the same connection as the position before, so that the timeline never falls */
    void at(LogPosition next) {
        LogPosition before = position;
        position = before == null || before.timeline() <= next.timeline() ? next : next.onTimeline(before.timeline());
        failure = null;
    }

    void away(Throwable why) {
        failure = why;
        position = null;
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
