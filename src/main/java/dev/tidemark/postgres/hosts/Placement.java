package dev.tidemark.postgres.hosts;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import java.util.Objects;
import java.util.Optional;

/**
 * Which hosts may answer a read.
 *
 * @param kind how to choose among them
 * @param floor what the read must show at least; empty for any state
 * @param key equal for reads that must not go back in time one after another; only if sticky
 */
public record Placement(Kind kind, Optional<Floor> floor, int key) {

    /** How to choose among hosts that have reached the floor. */
    public enum Kind {
        /** By turns. */
        SPREAD,
        /** Reads with equal keys prefer the same host, and see no older state than those before in this process. */
        STICKY,
        /** The primary, if it answers: the read must see every change that was notified. */
        PRIMARY
    }

    /**
     * A page after another one is read at any host that has reached its floor; a first page at the list's own host. All pages of a
     * feed with delta are read there, because moments of one host mean nothing to another.
     */
    public static Placement ofPage(ListState state, Optional<Floor> floor) {
        boolean isSpread = floor.isPresent() && state.feed().policy().delta().isEmpty();
        return new Placement(isSpread ? Kind.SPREAD : Kind.STICKY, floor, state.hashCode());
    }

    public static Placement ofList(ListState state) {
        return new Placement(Kind.STICKY, Optional.empty(), state.hashCode());
    }

    /** A client asks for the number of items after a place again and again. */
    public static Placement ofPlace(ListState state, Gap place, Optional<Floor> floor) {
        // The hash of an enum's constant differs from process to process.
        int key = Objects.hash(state, place.position(), place.side().ordinal());
        return new Placement(Kind.STICKY, floor, key);
    }

    public static Placement afterNotification(Optional<Floor> floor) {
        return new Placement(Kind.PRIMARY, floor, 0);
    }

    public static Placement anywhere() {
        return new Placement(Kind.SPREAD, Optional.empty(), 0);
    }
}
