package dev.tidemark.paging;

import java.util.Optional;

/**
 * The metadata of a page that was read. Its rows were passed to a sink as they arrived.
 *
 * @param size the number of items on the page
 * @param gapBefore the gap before the first item; for an empty page, the gap it was read from
 * @param gapAfter the gap after the last item; for an empty page, the gap it was read from
 * @param hasPrevious whether there were items before {@code gapBefore} when the page was read
 * @param hasNext whether there were items after {@code gapAfter}, and before the requested end, when the page was read
 * @param pin the pin of a scroll that continues forward. Present only for live orders, and dropped at the end of the list
 *     so that a client can follow items appended there
 * @param moment when the page was read. Present only for feeds with delta
 * @param floor a state of the database that includes what the page shows. Present only if several hosts serve pages
 */
public record Page(
        int size,
        Optional<Gap> gapBefore,
        Optional<Gap> gapAfter,
        boolean hasPrevious,
        boolean hasNext,
        Optional<Pin> pin,
        Optional<Moment> moment,
        Optional<Floor> floor) {

    public Page {
        if (gapBefore.isPresent() != gapAfter.isPresent()) {
            throw new IllegalArgumentException("a page has both ends or neither");
        }
        if (gapBefore.isEmpty() && (size > 0 || hasPrevious || hasNext)) {
            throw new IllegalArgumentException("only an empty list that was read from its start has no ends");
        }
    }

    /** Creates a page without a moment, for a feed without delta, and without a floor. */
    public Page(
            int size,
            Optional<Gap> gapBefore,
            Optional<Gap> gapAfter,
            boolean hasPrevious,
            boolean hasNext,
            Optional<Pin> pin) {
        this(size, gapBefore, gapAfter, hasPrevious, hasNext, pin, Optional.empty(), Optional.empty());
    }

    /** Returns this page with another floor, or without one. */
    public Page withFloor(Optional<Floor> other) {
        return new Page(size, gapBefore, gapAfter, hasPrevious, hasNext, pin, moment, other);
    }

    /**
     * Returns the continuation that reads backward from the first item. The continuation has no pin, so it includes
     * items that have moved.
     */
    public Optional<Continuation> previousContinuation() {
        return gapBefore.map(gap -> new Continuation(gap, Direction.BACKWARD, Optional.empty(), floor));
    }

    /**
     * Returns a continuation that identifies the first item, as {@link #nextContinuation} identifies the last one. It
     * excludes the first item in either direction. Empty if the page has no items. For a page of one item, both
     * continuations are equal.
     */
    public Optional<Continuation> firstItemContinuation() {
        return nextContinuation()
                .filter(next -> size > 0)
                .map(next -> new Continuation(
                        Gap.after(gapBefore.orElseThrow().position()), next.direction(), next.pin(), floor));
    }

    /**
     * Returns an empty page at the gap that was requested, or at the gap before the first item if the request had none.
     * The items of this page count as items after the gap, or before it if the request is backward. The pin of the
     * request is kept, even if this page reached the end of the list, because the client has not received its items.
     */
    public Page withoutItems(PageRequest request) {
        boolean forward = request.direction() == Direction.FORWARD;
        Optional<Gap> gap = request.from().map(Continuation::gap).or(() -> gapBefore);
        Optional<Pin> kept = request.from().flatMap(Continuation::pin).or(() -> pin);
        return new Page(
                0, gap, gap, hasPrevious || !forward && size > 0, hasNext || forward && size > 0, kept, moment, floor);
    }

    /** Returns the continuation that reads forward from the last item. */
    public Optional<Continuation> nextContinuation() {
        return gapAfter.map(gap -> new Continuation(gap, Direction.FORWARD, pin, floor));
    }
}
