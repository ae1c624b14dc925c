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
 */
public record Floor(int system, int timeline, long lsn) {

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

    /** Returns the later of this floor and {@code other}, or this one if they belong to different clusters. */
    public Floor later(Floor other) {
        boolean isLater =
                other.system == system && (other.timeline > timeline || other.timeline == timeline && other.lsn > lsn);
        return isLater ? other : this;
    }
}
