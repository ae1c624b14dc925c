package dev.tidemark.http.page;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.KeyList;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.paging.Direction;
import java.util.Optional;

/**
 * Writes one page as JSON while its rows arrive. The rows of a page that is read backward arrive in reverse; once all
 * of them have arrived, their bytes are put into the list's order.
 */
public final class PageWriter implements RowSink {

    private final PageFormat format;
    private final PageItems items;
    private final Direction direction;
    private final Optional<KeyList> keys;

    /** The length of the JSON after each row. */
    private final int[] rowEnds;

    /**
     * Acquired when the first item or the end of the page is written, so that the many pages that wait for their rows
     * hold no buffer.
     */
    @SuppressWarnings("NullAway.Init") // ensureBegun() sets it.
    private JsonBytes json;

    private int rowCount;

    /**
     * @param keyWriter writes the keys of all rows, if the page has only the items that were written since a moment;
     *     otherwise empty
     * @param limit the maximum number of rows
     */
    public PageWriter(
            PageFormat format, PageItems items, Optional<KeyWriter> keyWriter, Direction direction, int limit) {
        this.format = format;
        this.items = items;
        this.direction = direction;
        this.keys = keyWriter.map(writer -> new KeyList(writer, limit));
        this.rowEnds = new int[limit];
    }

    Direction direction() {
        return direction;
    }

    @Override
    public void accept(RowValues row) {
        ensureBegun();
        int start = json.length();
        if (rowCount > 0) {
            json.raw(',');
        }
        if (!items.write(json, row)) {
            json.truncate(start);
            return;
        }
        rowEnds[rowCount++] = json.length();
        addKey(row);
    }

    @Override
    public boolean isFull() {
        return items.isFull();
    }

    @Override
    public int measure(RowValues row) {
        return items.measure(row);
    }

    @Override
    public boolean reads(int index) {
        return items.reads(index) || keys.isPresent() && keys.get().reads(index);
    }

    @Override
    public int maxBytes() {
        return items.maxBytes();
    }

    @Override
    public void acceptUnchanged(RowValues row) {
        addKey(row);
    }

    private void addKey(RowValues row) {
        if (keys.isPresent()) {
            keys.get().add(row);
        }
    }

    /** Writes the opening of the page, unless it has been written. */
    private void ensureBegun() {
        if (json == null) {
            json = JsonBytes.acquire().raw(format.opening());
        }
    }

    /**
     * Returns the whole page, with its items in the list's order. Its entity tag covers neither the moment, which can
     * differ at every read, nor the floors of the tokens.
     *
     * @param moment the sealed moment, if the page has one
     */
    public TaggedBody finish(PageMembers members, Optional<String> moment, KeyedHash hash) {
        ensureBegun();
        json.raw(']');
        items.writeOversized(json, direction == Direction.BACKWARD);
        json.raw(',');
        if (keys.isPresent()) {
            json.raw("\"keys\":");
            keys.get().write(json, direction == Direction.BACKWARD);
            json.raw(',');
        }
        int lengthBeforeMembers = json.length();
        format.write(json, members, false);
        long tag = json.hash(hash);
        json.truncate(lengthBeforeMembers);
        format.write(json, members, true);
        if (moment.isPresent()) {
            json.raw(",\"moment\":").tokenOrNull(moment);
        }
        byte[] page = json.raw(format.closing()).toBytes();
        if (direction == Direction.BACKWARD) {
            reverseRows(page);
        }
        json.release();
        return TaggedBody.of(page, tag);
    }

    private void reverseRows(byte[] page) {
        int start = format.opening().length;
        for (int i = 0, end = rowCount == 0 ? start : rowEnds[rowCount - 1]; i < rowCount; i++) {
            int from = i == 0 ? start : rowEnds[i - 1] + 1;
            int length = rowEnds[i] - from;
            json.copyTo(from, rowEnds[i], page, end - length);
            end -= length + 1;
            if (end > start) {
                page[end] = ',';
            }
        }
    }
}
