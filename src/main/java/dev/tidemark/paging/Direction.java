package dev.tidemark.paging;

/** The direction in which a page is read from its gap, relative to the list's order. */
public enum Direction {
    /** Toward the end of the list. */
    FORWARD,
    /** Toward the start of the list. */
    BACKWARD;

    public Direction reversed() {
        return this == FORWARD ? BACKWARD : FORWARD;
    }
}
