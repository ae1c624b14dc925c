package dev.tidemark.paging;

import java.util.Optional;

/**
 * The metadata of a page. The rows of the page are passed to a sink while they are read.
 *
 * @param size the number of items on the page
 * @param gapBefore the gap before the first item; for an empty page, the requested {@code until} or, without it, the
 *     gap from which the page was requested. Empty if an empty list was read from its start
 * @param gapAfter the gap after the last item; for an empty page, the same as {@code gapBefore}
 * @param hasPrevious whether there were items before {@code gapBefore} when the page was read. In a list with a
 *     search, it can be true although there are none, because their rows have not been looked at
 * @param hasNext whether there were items after {@code gapAfter}, and before the requested {@code until}, when the
 *     page was read; in a list with a search, as {@code hasPrevious}
 * @param pin the pin of a scroll that continues forward. Present only for live orders, and not at the end of the list,
 *     so that a client can read items that are appended there later
 * @param moment when the page was read. Present only for feeds with delta
 * @param floor a database state that includes everything that the page shows. Present only if several hosts serve
 *     pages
 * @param scanEnds where reading ended because it had looked at enough rows of a search
 */
public record Page(
        int size,
        Optional<Gap> gapBefore,
        Optional<Gap> gapAfter,
        boolean hasPrevious,
        boolean hasNext,
        Optional<Pin> pin,
        Optional<Moment> moment,
        Optional<Floor> floor,
        ScanEnds scanEnds) {

    public Page {
        if (gapBefore.isPresent() != gapAfter.isPresent()) {
            throw new IllegalArgumentException("a page has both gaps or neither");
        }
        boolean isPastItems =
                size > 0 || hasPrevious || hasNext && scanEnds.after().isEmpty();
        if (gapBefore.isEmpty() && isPastItems) {
            throw new IllegalArgumentException("only an empty page that was read from the start has no gaps");
        }
    }

    /** Returns this page with another floor, or without one. */
    public Page withFloor(Optional<Floor> other) {
        return new Page(size, gapBefore, gapAfter, hasPrevious, hasNext, pin, moment, other, scanEnds);
    }

    /**
     * Returns the continuation that reads backward from the first row that was looked at, which usually is the first
     * item. The continuation has no pin, so it includes items that have moved.
     */
    public Optional<Continuation> previousContinuation() {
        return scanEnds.before().or(() -> gapBefore).map(this::backward);
    }

    /** Returns the continuation that reads backward from the first item. */
    public Optional<Continuation> topContinuation() {
        return gapBefore.map(this::backward);
    }

    /**
     * Returns a continuation that identifies the first item, as {@link #lastContinuation} identifies the last one.
     * The continuation excludes the first item, even if its direction is then changed. For a page of one item, it
     * equals {@link #lastContinuation}. Empty if the page has no items.
     */
    public Optional<Continuation> firstItemContinuation() {
        return gapBefore.filter(gap -> size > 0).map(gap -> forward(Gap.after(gap.position())));
    }

    /**
     * Returns an empty page at the gap that was requested, or at the gap before the first item if the request had no
     * gap. The items of this page count as items after the gap, or before it if the request is backward. The pin of
     * the request is kept, even if this page reached the end of the list, because the client does not receive the
     * items. Without any gap, the page continues where reading ended.
     */
    public Page withoutItems(PageRequest request) {
        boolean forward = request.direction() == Direction.FORWARD;
        Optional<Gap> gap = request.from().map(Continuation::gap).or(() -> gapBefore);
        Optional<Pin> kept = request.from().flatMap(Continuation::pin).or(() -> pin);
        return new Page(
                0,
                gap,
                gap,
                hasPrevious || !forward && size > 0,
                hasNext || forward && size > 0,
                kept,
                moment,
                floor,
                gap.isEmpty() ? scanEnds : ScanEnds.NONE);
    }

    /**
     * Returns the continuation that reads forward from the last row that was looked at, which usually is the last
     * item.
     */
    public Optional<Continuation> nextContinuation() {
        return scanEnds.after().or(() -> gapAfter).map(this::forward);
    }

    /** Returns the continuation that reads forward from the last item. */
    public Optional<Continuation> lastContinuation() {
        return gapAfter.map(this::forward);
    }

    private Continuation backward(Gap gap) {
        return new Continuation(gap, Direction.BACKWARD, Optional.empty(), floor);
    }

    private Continuation forward(Gap gap) {
        return new Continuation(gap, Direction.FORWARD, pin, floor);
    }
}
