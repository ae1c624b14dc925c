package dev.tidemark.http.page;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.KeyList;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.paging.Direction;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes one page as JSON while its rows arrive. The rows of a page that is read backward arrive in reverse; once all
 * of them have arrived, their bytes are put into the list's order.
 */
public final class PageWriter implements RowSink {

    private final PageFrame frame;
    private final PageItems items;
    private final Direction direction;
    private final Optional<KeyList> keys;

    /** The length of the JSON after each row. */
    private final int[] rowEnds;

    /**
     * Acquired when the first item or the end of the page is written, so that the many pages that wait for their rows
     * hold no buffer.
     */
    private JsonBytes json;

    private int rowCount;

    /** The number of bytes before the members that are passed to {@link #finish}. */
    private int lengthBeforeMembers;

    /** The number of bytes before the moment, or before the end of a page without one. */
    private int taggedLength;

    /** @param limit the maximum number of rows */
    public PageWriter(PageFrame frame, PageItems items, Direction direction, int limit) {
        this(frame, items, Optional.empty(), direction, limit);
    }

    /**
     * @param keyWriter writes the keys of all rows, if the page has only the items that were written since a moment;
     *     otherwise empty
     */
    PageWriter(PageFrame frame, PageItems items, Optional<KeyWriter> keyWriter, Direction direction, int limit) {
        this.frame = frame;
        this.items = items;
        this.direction = direction;
        this.keys = keyWriter.map(writer -> new KeyList(writer, limit));
        this.rowEnds = new int[limit];
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
            json = JsonBytes.acquire().raw(frame.opening());
        }
    }

    /**
     * Returns the whole page. It has no moment.
     *
     * @param members writes the members after the items
     */
    public byte[] finish(Consumer<JsonBytes> members) {
        return finish(members, Optional.empty());
    }

    /**
     * Returns the whole page, with its items in the list's order.
     *
     * @param members writes the members after the items and the keys, and before the moment
     * @param moment the sealed moment, if the page has one. It is the last member, because the entity tag does not
     *     cover it
     */
    public byte[] finish(Consumer<JsonBytes> members, Optional<String> moment) {
        ensureBegun();
        json.raw(']').raw(',');
        if (keys.isPresent()) {
            json.raw("\"keys\":");
            keys.get().write(json, direction == Direction.BACKWARD);
            json.raw(',');
        }
        lengthBeforeMembers = json.length();
        members.accept(json);
        taggedLength = json.length();
        if (moment.isPresent()) {
            json.raw(",\"moment\":").tokenOrNull(moment);
        }
        byte[] page = json.raw(frame.closing()).toBytes();
        if (direction == Direction.BACKWARD) {
            reverseRows(page);
        }
        json.release();
        return page;
    }

    /**
     * Returns the entity tag of the finished page. The tag does not cover the moment, which can differ at every read.
     * It covers cursors without a floor, because the floor differs after each write to the database, even if the page
     * is the same.
     *
     * @param page the bytes that {@link #finish} has returned
     * @param membersWithoutFloor writes the members with cursors that have no floor; empty if the cursors of the page
     *     have no floor
     */
    public WeakTag tag(byte[] page, Optional<Consumer<JsonBytes>> membersWithoutFloor, KeyedHash hash) {
        return membersWithoutFloor.isPresent()
                ? WeakTag.of(page, lengthBeforeMembers, JsonBytes.bytesOf(membersWithoutFloor.get()), hash)
                : WeakTag.of(page, taggedLength, hash);
    }

    private void reverseRows(byte[] page) {
        int start = frame.opening().length;
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
