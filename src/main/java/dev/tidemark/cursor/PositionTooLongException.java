package dev.tidemark.cursor;

import dev.tidemark.feed.Column;

/** A value is too long for any token; no cursor can point to its row. */
public final class PositionTooLongException extends RuntimeException {

    private final Column column;

    public PositionTooLongException(Column column) {
        super("the value of a key is too long for a cursor", null, false, false);
        this.column = column;
    }

    /** The column whose value takes the most room. */
    public Column column() {
        return column;
    }
}
