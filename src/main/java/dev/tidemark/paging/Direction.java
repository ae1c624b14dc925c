package dev.tidemark.paging;

/** Which way a page is read from its gap, seen along the list's order. */
public enum Direction {
    /** On towards the end of the list. */
    FORWARD,
    /** Back towards the start of the list. */
    BACKWARD;

    public Direction reversed() {
        return this == FORWARD ? BACKWARD : FORWARD;
    }
}
