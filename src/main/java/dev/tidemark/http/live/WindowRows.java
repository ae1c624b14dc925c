package dev.tidemark.http.live;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.json.OversizedItems;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.paging.Page;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of one read of a window: the key of each row, and its item if the read returned it. */
public final class WindowRows implements RowSink {

    private final PageItems pageItems;
    private final KeyWriter keyWriter;
    private final Optional<WindowState> before;
    private final List<String> keys = new ArrayList<>();
    private final List<byte[]> items = new ArrayList<>();

    /** The entries of {@code oversized}, by row. */
    private final Map<Integer, byte[]> oversized = new HashMap<>();

    private final BitSet written = new BitSet();

    /** @param before empty if the read returns all items; otherwise, the state that has the others */
    public WindowRows(PageItems pageItems, KeyWriter keyWriter, Optional<WindowState> before) {
        this.pageItems = pageItems;
        this.keyWriter = keyWriter;
        this.before = before;
    }

    @Override
    public void accept(RowValues row) {
        written.set(keys.size());
        add(row);
    }

    @Override
    public void acceptUnchanged(RowValues row) {
        if (before.isEmpty()) {
            add(row);
            return;
        }
        String key = key(row);
        // The items that the window has already count, too, so that each read of a window ends at the same item.
        pageItems.skip(before.get().sizeOf(key));
        if (!pageItems.isFull()) {
            keys.add(key);
            items.add(null);
        }
    }

    private void add(RowValues row) {
        JsonBytes json = JsonBytes.acquire();
        int oversizedBefore = pageItems.oversized().size();
        if (pageItems.write(json, row)) {
            if (pageItems.oversized().size() > oversizedBefore) {
                oversized.put(keys.size(), pageItems.oversized().last());
            }
            keys.add(key(row));
            items.add(json.toBytes());
        }
        json.release();
    }

    @Override
    public boolean isFull() {
        return pageItems.isFull();
    }

    @Override
    public boolean reads(int index) {
        return pageItems.reads(index) || keyWriter.reads(index);
    }

    @Override
    public int maxBytes() {
        return pageItems.maxBytes();
    }

    private String key(RowValues row) {
        return new String(JsonBytes.bytesOf(json -> keyWriter.write(json, row)), StandardCharsets.UTF_8);
    }

    /** Returns the item of a row as JSON; null if the read returned only its key. */
    byte @Nullable [] item(int row) {
        return items.get(row);
    }

    /** The number of items that {@link #write} writes. */
    int itemCount(boolean onlyWritten) {
        return onlyWritten ? written.cardinality() : items.size();
    }

    /** Returns the state of the window that the read shows. */
    WindowState state(Page page, KeyedHash hash) {
        long[] hashes = new long[keys.size()];
        int[] sizes = new int[keys.size()];
        for (int i = 0; i < hashes.length; i++) {
            byte[] item = items.get(i);
            hashes[i] = item == null ? before.orElseThrow().hashOf(keys.get(i)) : hash(i, item, hash);
            sizes[i] = item == null ? before.orElseThrow().sizeOf(keys.get(i)) : item.length;
        }
        return new WindowState(keys, hashes, sizes, page.hasPrevious(), page.hasNext());
    }

    /** Returns the hash of an item, and of which of its values were left out. */
    private long hash(int row, byte[] item, KeyedHash hash) {
        byte[] entry = oversized.get(row);
        return hash.hash(item) ^ (entry == null ? 0 : hash.hash(entry));
    }

    /** Writes a comma and the member {@code oversized} for the items of some rows, if it is needed. */
    void writeOversized(JsonBytes json, IntPredicate rows) {
        if (!oversized.isEmpty()) {
            OversizedItems.write(
                    json,
                    IntStream.range(0, items.size())
                            .filter(rows)
                            .mapToObj(oversized::get)
                            .filter(Objects::nonNull)
                            .toList(),
                    false);
        }
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
        json.raw(']');
        writeOversized(json, row -> !onlyWritten || written.get(row));
        json.raw(",\"keys\":[");
        for (int i = 0; i < keys.size(); i++) {
            if (i > 0) {
                json.raw(',');
            }
            json.raw(keys.get(i).getBytes(StandardCharsets.UTF_8));
        }
        json.raw(']');
    }
}
