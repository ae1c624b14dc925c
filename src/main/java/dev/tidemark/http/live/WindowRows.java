package dev.tidemark.http.live;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.paging.Page;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The rows of one read of a window: the key of each row, and its item if the read returned it. */
final class WindowRows implements RowSink {

    private final ItemWriter itemWriter;
    private final KeyWriter keyWriter;
    private final List<String> keys = new ArrayList<>();
    private final List<byte[]> items = new ArrayList<>();
    private final BitSet written = new BitSet();
    private final boolean whole;

    /** @param whole whether the read returns all items, not only those that were written since a moment */
    WindowRows(ItemWriter itemWriter, KeyWriter keyWriter, boolean whole) {
        this.itemWriter = itemWriter;
        this.keyWriter = keyWriter;
        this.whole = whole;
    }

    @Override
    public void accept(RowValues row) {
        written.set(keys.size());
        keys.add(key(row));
        items.add(item(row));
    }

    @Override
    public void acceptUnchanged(RowValues row) {
        keys.add(key(row));
        items.add(whole ? item(row) : null);
    }

    private byte[] item(RowValues row) {
        return JsonBytes.bytesOf(json -> itemWriter.write(json, row));
    }

    private String key(RowValues row) {
        return new String(JsonBytes.bytesOf(json -> keyWriter.write(json, row)), StandardCharsets.UTF_8);
    }

    /** Returns the item of a row as JSON; null if the read returned only its key. */
    byte[] item(int row) {
        return items.get(row);
    }

    /** The number of items that {@link #write} writes. */
    int itemCount(boolean onlyWritten) {
        return onlyWritten ? written.cardinality() : items.size();
    }

    /**
     * Returns the state of the window that the read shows.
     *
     * @param before the state that has the hashes of the items that the read did not return; null if it returned all
     */
    WindowState state(Page page, WindowState before, KeyedHash hash) {
        long[] hashes = new long[keys.size()];
        for (int i = 0; i < hashes.length; i++) {
            byte[] item = items.get(i);
            hashes[i] = item == null ? before.hashOf(keys.get(i)) : hash.hashToLong(item);
        }
        return new WindowState(keys, hashes, page.hasPrevious(), page.hasNext());
    }

    /**
     * Writes the members {@code items} and {@code keys} of a page. The read must have returned all items.
     *
     * @param onlyWritten whether the items that were not written since the moment are left out
     */
    void write(JsonBytes json, boolean onlyWritten) {
        json.raw("\"items\":[");
        boolean first = true;
        for (int i = 0; i < items.size(); i++) {
            if (!onlyWritten || written.get(i)) {
                if (!first) {
                    json.raw(',');
                }
                json.raw(items.get(i));
                first = false;
            }
        }
        json.raw("],\"keys\":[");
        for (int i = 0; i < keys.size(); i++) {
            if (i > 0) {
                json.raw(',');
            }
            json.raw(keys.get(i).getBytes(StandardCharsets.UTF_8));
        }
        json.raw(']');
    }
}
