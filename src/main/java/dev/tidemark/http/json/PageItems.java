package dev.tidemark.http.json;

import dev.tidemark.feed.read.RowValues;
import java.util.List;
import java.util.Optional;

/**
 * Writes the items of one page until they take more bytes than a page may have. Of an item that alone takes more, the
 * largest values are written as null.
 */
public final class PageItems {

    private final RowWriter writer;
    private final Optional<KeyWriter> keyWriter;
    private final int maxBytes;
    private final OversizedItems oversized;
    private int byteCount;
    private boolean full;
    private boolean requiresFirst;

    /** @param keyWriter empty if the items do not show their key */
    public PageItems(RowWriter writer, Optional<KeyWriter> keyWriter, int maxBytes) {
        this.writer = writer;
        this.keyWriter = keyWriter;
        this.maxBytes = maxBytes;
        this.oversized = new OversizedItems(keyWriter);
    }

    /** Fails if the first item has only one column, and its value has to be left out. */
    public void requireFirst() {
        requiresFirst = true;
    }

    /**
     * Writes an item, unless it does not fit on the page after the items before it.
     *
     * @return false if the item does not fit; then nothing was written, and the page {@linkplain #isFull is full}
     * @throws ItemTooLargeException if the item does not fit on any page, even without its largest values
     */
    public boolean write(JsonBytes json, RowValues row) {
        int start = json.length();
        if (!writer.writeAtMost(maxBytes - byteCount, json, row) && !writeReduced(json, row)) {
            full = true;
            return false;
        }
        byteCount += json.length() - start;
        return true;
    }

    /** Writes an item that does not fit on the page. Without effect if another page can have all its values. */
    private boolean writeReduced(JsonBytes json, RowValues row) {
        int start = json.length();
        if (byteCount > 0 && writer.writeAtMost(maxBytes, json, row)) {
            json.truncate(start);
            return false;
        }
        if (requiresFirst && byteCount == 0) {
            writer.onlyColumn().ifPresent(column -> {
                throw new ItemTooLargeException(column, maxBytes);
            });
        }
        List<String> columns = writer.writeReduced(maxBytes, json, row);
        if (json.length() - start > maxBytes - byteCount) {
            json.truncate(start);
            return false;
        }
        oversized.add(row, columns);
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

    /** Returns the number of bytes that an item takes on an empty page. */
    public int measure(RowValues row) {
        JsonBytes json = JsonBytes.acquire();
        if (!writer.writeAtMost(maxBytes, json, row)) {
            writer.writeReduced(maxBytes, json, row);
        }
        int bytes = json.length();
        json.release();
        return bytes;
    }

    /** Whether items, or the keys of oversized ones, contain the value at an index of a row. */
    public boolean reads(int index) {
        return writer.reads(index) || keyWriter.map(key -> key.reads(index)).orElse(false);
    }

    public int maxBytes() {
        return maxBytes;
    }

    /** The items that were written without their largest values. */
    public OversizedItems oversized() {
        return oversized;
    }

    /**
     * Writes a comma and the member {@code oversized}, if there are such items.
     *
     * @param reversed whether the rows arrived in reverse order
     */
    public void writeOversized(JsonBytes json, boolean reversed) {
        OversizedItems.write(json, oversized.entries(), reversed);
    }

    /** Begins another page. */
    public void clear() {
        byteCount = 0;
        full = false;
        oversized.clear();
    }
}
