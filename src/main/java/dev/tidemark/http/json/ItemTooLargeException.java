package dev.tidemark.http.json;

/** An item is larger than a page may be. */
public final class ItemTooLargeException extends RuntimeException {

    private final String largestColumn;
    private final int maxBytes;

    ItemTooLargeException(String largestColumn, int maxBytes) {
        super("an item is larger than a page may be", null, false, false);
        this.largestColumn = largestColumn;
        this.maxBytes = maxBytes;
    }

    public String largestColumn() {
        return largestColumn;
    }

    /** How many bytes the items of a page may have. */
    public int maxBytes() {
        return maxBytes;
    }
}
