package dev.tidemark.http.json;

/** An item is larger than a page may be, and cannot be reduced. */
public final class ItemTooLargeException extends RuntimeException {

    private final String column;
    private final int maxBytes;

    ItemTooLargeException(String column, int maxBytes) {
        super("an item is larger than a page may be", null, false, false);
        this.column = column;
        this.maxBytes = maxBytes;
    }

    /** The column with the largest value. */
    public String column() {
        return column;
    }

    /** How many bytes the items of a page may have. */
    public int maxBytes() {
        return maxBytes;
    }
}
