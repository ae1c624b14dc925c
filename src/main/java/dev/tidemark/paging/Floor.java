package dev.tidemark.paging;

import java.util.Optional;

/**
 * The oldest state of the database that a read may show: all that was committed up to a position in the write-ahead log. Pages
 * have one only if several hosts serve them, so that a client that goes on at another host never gets an older state.
 *
 * <p>Known elsewhere as a causal or session token, as in MongoDB's {@code afterClusterTime}.
 *
 * @param system some bits of the identifier of the database cluster; positions of different clusters mean nothing to each other
 * @param timeline PostgreSQL's number for the history that the position belongs to; a promotion begins the next one
 * @param position in bytes from the start of the log
 */
public record Floor(int system, int timeline, long position) {

    /** @return the later of two; empty if neither is present */
    public static Optional<Floor> later(Optional<Floor> one, Optional<Floor> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return Optional.of(other.get().later(one.get()));
    }

    /** The later of the two; this one if the other is of another cluster. */
    public Floor later(Floor other) {
        boolean isLater = other.system == system
                && (other.timeline > timeline || other.timeline == timeline && other.position > position);
        return isLater ? other : this;
    }
}
