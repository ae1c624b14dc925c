package dev.tidemark.postgres.connection;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import java.util.Objects;
import java.util.Optional;

/**
 * Which host should run a read, and which database state the read must show. With one host, only whether a
 * request waits for the read matters.
 *
 * @param kind how to choose among the hosts
 * @param floor the oldest database state that the read may show; empty for any state
 * @param key identifies what is read: of two reads with the same key, the later one must not show an older state. Used
 *     only for {@link Kind#STICKY}
 */
public record ReadPreference(Kind kind, Optional<Floor> floor, int key) {

    /** How to choose among hosts that have reached the floor. */
    public enum Kind {
        /** The standbys take turns. */
        SPREAD,
        /**
         * Reads with equal keys prefer the same standby, and show no older state than earlier reads of this process
         * with the same key.
         */
        STICKY,
        /** The primary, if it answers, because the read must see every change that a notification has reported. */
        PRIMARY,
        /**
         * Only the primary, because a standby may lack what the read looks for. If all hosts answer, and none of them
         * is a primary, any of them.
         */
        ONLY_PRIMARY
    }

    /**
     * The preference of a page. A page that continues another one is read from any host that has reached the floor; a
     * first page, or a jump, is read from the preferred host of the list. If the feed has delta, all pages are read
     * from the preferred host, because a moment is meaningful only on the host that it comes from.
     */
    public static ReadPreference ofPage(ListState state, PageRequest request) {
        boolean isContinued = request.from().flatMap(Continuation::floor).isPresent();
        boolean isSpread = isContinued && state.feed().policy().delta().isEmpty();
        return new ReadPreference(isSpread ? Kind.SPREAD : Kind.STICKY, request.floor(), state.hashCode());
    }

    /** The preference of reads that locate an item, read a page by offset, or count a list. */
    public static ReadPreference ofList(ListState state, Optional<Floor> floor) {
        return new ReadPreference(Kind.STICKY, floor, state.hashCode());
    }

    /**
     * The preference of a count of new items. Clients repeat such counts, so counts from the same position prefer the
     * same host.
     */
    public static ReadPreference ofFreshCount(ListState state, Gap gap, Optional<Floor> floor) {
        // The hash code of an enum constant differs between processes.
        int key = Objects.hash(state, gap.position(), gap.side().ordinal());
        return new ReadPreference(Kind.STICKY, floor, key);
    }

    /** The preference of a read that the server repeats after each change. No request waits for such a read. */
    public static ReadPreference afterNotification(Optional<Floor> floor) {
        return new ReadPreference(Kind.PRIMARY, floor, 0);
    }

    /** The preference of a read that must see everything that has been committed. */
    public static ReadPreference ofPrimary(Optional<Floor> floor) {
        return new ReadPreference(Kind.ONLY_PRIMARY, floor, 0);
    }

    /** Whether a request waits for the read. */
    boolean isRequested() {
        return kind != Kind.PRIMARY;
    }

    public static ReadPreference anyHost() {
        return new ReadPreference(Kind.SPREAD, Optional.empty(), 0);
    }
}
