package dev.tidemark.paging;

import java.util.Optional;

/** Pages without a pin, whose reading did not end because of a search. */
public final class SamplePages {

    private SamplePages() {}

    /** A page without a moment and without a floor. */
    public static Page of(int size, Gap before, Gap after, boolean hasPrevious, boolean hasNext) {
        return of(size, before, after, hasPrevious, hasNext, Optional.empty(), Optional.empty());
    }

    public static Page of(
            int size,
            Gap before,
            Gap after,
            boolean hasPrevious,
            boolean hasNext,
            Optional<Moment> moment,
            Optional<Floor> floor) {
        return new Page(
                size,
                Optional.of(before),
                Optional.of(after),
                hasPrevious,
                hasNext,
                Optional.empty(),
                moment,
                floor,
                ScanEnds.NONE);
    }
}
