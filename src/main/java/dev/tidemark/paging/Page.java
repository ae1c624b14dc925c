package dev.tidemark.paging;

import java.util.Optional;

/**
 * The facts about a page that was read; its rows went their own way as they arrived.
 *
 * @param size the number of items on the page
 * @param top the gap just before the first item; of an empty page, the gap it was read from
 * @param last the gap just after the last item; of an empty page, the gap it was read from
 * @param hasPrevious whether items stood before {@code top} when the page was read
 * @param hasNext whether items stood after {@code last} when the page was read, and before the gap it was to end at
 * @param pin what going on forward is pinned to; empty but for live orders, and at the end of the list, which releases
 *     it so that the list's tail can be followed
 */
public record Page(
        int size, Optional<Gap> top, Optional<Gap> last, boolean hasPrevious, boolean hasNext, Optional<Pin> pin) {

    public Page {
        if (top.isPresent() != last.isPresent()) {
            throw new IllegalArgumentException("a page has both of its ends or neither");
        }
        if (top.isEmpty() && (size > 0 || hasPrevious || hasNext)) {
            throw new IllegalArgumentException("only the empty list read from its start has no ends");
        }
    }

    /** The way back from the first item: never pinned, so that it sees what has moved. */
    public Optional<Continuation> backward() {
        return top.map(gap -> new Continuation(gap, Direction.BACKWARD));
    }

    /**
     * The first item, if there is one, in the form in which {@link #forward} names the last one: it is left behind, also
     * when {@link Continuation#inDirection} turns it round. Of a page of one item, both are equal.
     */
    public Optional<Continuation> first() {
        return forward()
                .filter(last -> size > 0)
                .map(last -> new Continuation(Gap.after(top.orElseThrow().position()), last.direction(), last.pin()));
    }

    /**
     * The gap that the page was read from, without the page: its items stand beyond it then. A page from the start of
     * the list leaves the gap before its first item. The scroll goes on with the pin it came with: items that had reached
     * the end of the list would have released it, but were not given.
     */
    public Page withoutItems(PageRequest request) {
        boolean forward = request.direction() == Direction.FORWARD;
        Optional<Gap> gap = request.from().map(Continuation::gap).or(() -> top);
        Optional<Pin> kept = request.from().flatMap(Continuation::pin).or(() -> pin);
        return new Page(0, gap, gap, hasPrevious || !forward && size > 0, hasNext || forward && size > 0, kept);
    }

    /** The way on from the last item. */
    public Optional<Continuation> forward() {
        return last.map(gap -> new Continuation(gap, Direction.FORWARD, pin));
    }
}
