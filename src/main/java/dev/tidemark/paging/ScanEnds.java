package dev.tidemark.paging;

import java.util.Objects;
import java.util.Optional;

/**
 * Where the read of a page ended because it had looked at as many rows as a page of a search may. Rows that were not
 * looked at remain beyond; whether items are among them is not known.
 *
 * @param partial whether the page has fewer items than were requested for this reason
 * @param before the gap before the rows that were looked at; empty if reading did not end there for this reason
 * @param after the gap after them; empty likewise
 */
public record ScanEnds(boolean partial, Optional<Gap> before, Optional<Gap> after) {

    public static final ScanEnds NONE = new ScanEnds(false, Optional.empty(), Optional.empty());

    public ScanEnds {
        Objects.requireNonNull(before);
        Objects.requireNonNull(after);
    }

    /** Whether it is not known if items are beyond the page on one of its sides. */
    public boolean isCut() {
        return before.isPresent() || after.isPresent();
    }
}
