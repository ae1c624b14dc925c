package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A request for one page, from the start of the list or from a gap in it.
 *
 * @param from the gap from which the page is read, with the direction; empty for the first page
 * @param limit the maximum number of items on the page, at least 1
 * @param precedingCount for a page around a gap, the number of its items that precede the gap; it is below the limit.
 *     If one side has too few items, the other side fills the page, even if {@code precedingCount} is 0. Empty for a
 *     page on one side of the gap, such as a backward page
 * @param until the gap at which a forward page ends at the latest; empty for backward pages
 * @param since if present, items that were not written since this moment are read with only the columns of the key and
 *     of the order. Only for feeds with delta
 * @param floor the page shows this database state or a later one; empty if any state is acceptable
 * @param includesUnwritten whether the items that were not written since the moment are read with all columns, too
 * @param omitted the names of columns and embeds whose values may read as NULL, because the page does not return them
 */
public record PageRequest(
        Optional<Continuation> from,
        int limit,
        OptionalInt precedingCount,
        Optional<Gap> until,
        Optional<Moment> since,
        Optional<Floor> floor,
        boolean includesUnwritten,
        Set<String> omitted) {

    public PageRequest {
        Objects.requireNonNull(from);
        Objects.requireNonNull(until);
        Objects.requireNonNull(since);
        Objects.requireNonNull(floor);
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1");
        }
        if (precedingCount.isPresent() && (precedingCount.getAsInt() < 0 || precedingCount.getAsInt() >= limit)) {
            throw new IllegalArgumentException("precedingCount must be from 0 to limit - 1");
        }
        boolean backward = from.map(Continuation::direction)
                .filter(Direction.BACKWARD::equals)
                .isPresent();
        if (backward && (precedingCount.isPresent() || until.isPresent())) {
            throw new IllegalArgumentException("a backward page has neither preceding items nor an end");
        }
    }

    public PageRequest(Optional<Continuation> from, int limit) {
        this(from, limit, OptionalInt.empty(), Optional.empty());
    }

    public PageRequest(
            Optional<Continuation> from,
            int limit,
            OptionalInt precedingCount,
            Optional<Gap> until,
            Optional<Moment> since,
            Optional<Floor> floor) {
        this(from, limit, precedingCount, until, since, floor, false, Set.of());
    }

    public PageRequest(Optional<Continuation> from, int limit, OptionalInt precedingCount, Optional<Gap> until) {
        this(from, limit, precedingCount, until, Optional.empty(), from.flatMap(Continuation::floor));
    }

    /** Returns this request with the later of its own floor and {@code other}. */
    public PageRequest withLaterFloor(Optional<Floor> other) {
        return new PageRequest(
                from, limit, precedingCount, until, since, Floor.later(floor, other), includesUnwritten, omitted);
    }

    /** Returns this request with another moment, or without one. */
    public PageRequest withSince(Optional<Moment> moment) {
        return new PageRequest(from, limit, precedingCount, until, moment, floor, includesUnwritten, omitted);
    }

    /** Returns this request without the values of other columns. */
    public PageRequest omitting(Set<String> names) {
        return new PageRequest(from, limit, precedingCount, until, since, floor, includesUnwritten, names);
    }

    /** Returns whether the page lies around a gap, and not on one side of it. */
    public boolean isAroundGap() {
        return precedingCount.isPresent();
    }

    public Direction direction() {
        return from.map(Continuation::direction).orElse(Direction.FORWARD);
    }
}
