package dev.tidemark.cursor;

import dev.tidemark.feed.Column;

/** Thrown when no cursor can be created, because the values of its position are too long for a token. */
public final class PositionTooLongException extends RuntimeException {

    private final Column column;

    public PositionTooLongException(Column column) {
        super("a sort key value is too long for a cursor", null, false, false);
        this.column = column;
    }

    /** The column with the longest value. */
    public Column column() {
        return column;
    }
}
