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
import java.util.List;

/** The rows of one read of a window: the key of each row, and the item of each row that the read returned whole. */
final class WindowRows implements RowSink {

    private final ItemWriter itemWriter;
    private final KeyWriter keyWriter;
    private final List<String> keys = new ArrayList<>();
    private final List<byte[]> items = new ArrayList<>();

    WindowRows(ItemWriter itemWriter, KeyWriter keyWriter) {
        this.itemWriter = itemWriter;
        this.keyWriter = keyWriter;
    }

    @Override
    public void accept(RowValues row) {
        keys.add(key(row));
        items.add(JsonBytes.bytesOf(json -> itemWriter.write(json, row)));
    }

    @Override
    public void acceptUnchanged(RowValues row) {
        keys.add(key(row));
        items.add(null);
    }

    private String key(RowValues row) {
        return new String(JsonBytes.bytesOf(json -> keyWriter.write(json, row)), StandardCharsets.UTF_8);
    }

    /** Returns the item of a row as JSON; null if the read returned only its key. */
    byte[] item(int row) {
        return items.get(row);
    }

    int itemCount() {
        return (int) items.stream().filter(item -> item != null).count();
    }

    /**
     * Returns the state of the window that the read shows.
     *
     * @param before the state that the window had at the moment since which the rows were read; null if it is not known
     */
    WindowState state(Page page, WindowState before, KeyedHash hash) {
        long[] hashes = new long[keys.size()];
        for (int i = 0; i < hashes.length; i++) {
            byte[] item = items.get(i);
            if (item != null) {
                hashes[i] = hash.hashToLong(item);
            } else if (before != null) {
                hashes[i] = before.hashOf(keys.get(i));
            } else {
                hashes[i] = WindowState.UNKNOWN_HASH;
            }
        }
        return new WindowState(keys, hashes, page.hasPrevious(), page.hasNext());
    }

    /** Writes the members {@code items} and {@code keys} of a page. */
    void write(JsonBytes json) {
        json.raw("\"items\":[");
        boolean first = true;
        for (byte[] item : items) {
            if (item != null) {
                if (!first) {
                    json.raw(',');
                }
                json.raw(item);
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
