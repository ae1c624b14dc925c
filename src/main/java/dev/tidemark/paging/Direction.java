package dev.tidemark.paging;

/** The direction in which a page is read from its gap, relative to the list's order. */
public enum Direction {
    /** Towards the end of the list. */
    FORWARD,
    /** Towards the start of the list. */
    BACKWARD;

    public Direction reversed() {
        return this == FORWARD ? BACKWARD : FORWARD;
    }
}
