package dev.tidemark.http.json;

import dev.tidemark.feed.read.RowValues;

/** Writes the items of one page until they take more bytes than a page may have. */
public final class PageItems {

    private final ItemWriter writer;
    private final int maxBytes;
    private int byteCount;
    private boolean full;

    public PageItems(ItemWriter writer, int maxBytes) {
        this.writer = writer;
        this.maxBytes = maxBytes;
    }

    /**
     * Writes an item, unless it does not fit on the page after the items before it.
     *
     * @return false if the item does not fit; then nothing was written, and the page {@linkplain #isFull is full}
     * @throws ItemTooLargeException if the item does not fit on any page
     */
    public boolean write(JsonBytes json, RowValues row) {
        int start = json.length();
        if (!writer.writeAtMost(maxBytes - byteCount, json, row)) {
            if (byteCount == 0) {
                throw new ItemTooLargeException(writer.largestMember(row), maxBytes);
            }
            full = true;
            return false;
        }
        byteCount += json.length() - start;
        return true;
    }

    /** Counts an item that is not written, unless it does not fit on the page after the items before it. */
    public void skip(int itemBytes) {
        if (byteCount > 0 && itemBytes > maxBytes - byteCount) {
            full = true;
        } else {
            byteCount += itemBytes;
        }
    }

    /** Whether an item did not fit. */
    public boolean isFull() {
        return full;
    }

    /** Returns the number of bytes that an item would take; more than a page may have if it does not fit on any page. */
    public int measure(RowValues row) {
        JsonBytes json = JsonBytes.acquire();
        int bytes = writer.writeAtMost(maxBytes, json, row) ? json.length() : maxBytes + 1;
        json.release();
        return bytes;
    }

    /** Whether items contain the value at an index of a row. */
    public boolean reads(int index) {
        return writer.reads(index);
    }

    public int maxBytes() {
        return maxBytes;
    }

    /** Begins another page. */
    public void clear() {
        byteCount = 0;
        full = false;
    }
}
