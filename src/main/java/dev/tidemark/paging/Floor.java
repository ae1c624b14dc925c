package dev.tidemark.paging;

import java.util.Optional;

/**
 * The oldest database state that a read may show: a read with this floor shows everything that was committed up to a
 * position in the write-ahead log, and can also show later changes. Pages have a floor only if several hosts serve
 * them. The floor in a cursor ensures that the next page does not show an older state, even if another host
 * serves it.
 *
 * <p>Other databases call this a causal or session token; an example is MongoDB's {@code afterClusterTime}.
 *
 * @param system a 16-bit hash of PostgreSQL's system identifier; log sequence numbers of different database clusters
 *     cannot be compared
 * @param timeline the PostgreSQL timeline that {@code lsn} belongs to; each promotion starts a new timeline
 * @param lsn the log sequence number: the position in the write-ahead log
 * @param xmin the oldest transaction id that was running according to the standby that was read: its effects were not
 *     shown; 0 if only the primary was read
 * @param xmax transactions with this id or a later one were not shown by the standby that was read. A primary shows a
 *     commit later than its log has it, so its log position does not prove that it shows what a standby has shown. 0
 *     if only the primary was read
 */
public record Floor(int system, int timeline, long lsn, long xmin, long xmax) {

    /** The floor of a read of the primary. */
    public Floor(int system, int timeline, long lsn) {
        this(system, timeline, lsn, 0, 0);
    }

    /**
     * Returns the later of the two floors, or {@code other} if they belong to different clusters. If only one floor is
     * present, returns that one; empty if both are empty.
     */
    public static Optional<Floor> later(Optional<Floor> one, Optional<Floor> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return Optional.of(other.get().later(one.get()));
    }

    /**
     * Returns the later of this floor and {@code other}, or this one if they belong to different clusters. On the same
     * timeline, this is a floor that includes both. Standbys show commits in the order of the log, so of two standbys,
     * the one that has shown more has the greater value of each number.
     */
    public Floor later(Floor other) {
        if (other.system != system || other.timeline != timeline) {
            return other.system == system && other.timeline > timeline ? other : this;
        }
        return new Floor(
                system, timeline, Math.max(lsn, other.lsn), Math.max(xmin, other.xmin), Math.max(xmax, other.xmax));
    }
}
