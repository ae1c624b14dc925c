package dev.tidemark.paging;

import java.util.Objects;

/** Where a scroll goes on and which way: what a cursor means once it is opened. */
public record Continuation(Gap gap, Direction direction) {

    public Continuation {
        Objects.requireNonNull(gap);
        Objects.requireNonNull(direction);
    }
}
