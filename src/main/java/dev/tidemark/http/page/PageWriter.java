package dev.tidemark.http.page;

import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.KeyList;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.paging.Direction;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes one page as JSON while its rows arrive. The rows of a page that is read backward arrive last item first: the writer
 * remembers where each row ends, and reverses the rows as bytes once all have arrived.
 */
public final class PageWriter implements RowSink {

    private final PageEnvelope envelope;
    private final ItemWriter items;
    private final Direction direction;
    private final Optional<KeyList> keys;
    private final int[] ends;

    /**
     * Acquired when the first item or the end of the page is written. Many pages wait for their rows on one thread, but
     * each page gets all its rows at once, so they can share one buffer.
     */
    private JsonBytes json;

    private int rows;
    private int itemsLength;

    /** @param limit the maximum number of rows */
    public PageWriter(PageEnvelope envelope, ItemWriter items, Direction direction, int limit) {
        this(envelope, items, Optional.empty(), direction, limit);
    }

    /**
     * @param keys writes the keys of all rows, if the page has only the items that were written since a moment;
     *     otherwise empty
     */
    PageWriter(PageEnvelope envelope, ItemWriter items, Optional<KeyWriter> keys, Direction direction, int limit) {
        this.envelope = envelope;
        this.items = items;
        this.direction = direction;
        this.keys = keys.map(writer -> new KeyList(writer, limit));
        this.ends = new int[limit];
    }

    @Override
    public void row(RowValues row) {
        begin();
        if (rows > 0) {
            json.raw(',');
        }
        items.write(json, row);
        ends[rows++] = json.length();
        unchanged(row);
    }

    @Override
    public void unchanged(RowValues row) {
        if (keys.isPresent()) {
            keys.get().add(row);
        }
    }

    private void begin() {
        if (json == null) {
            json = JsonBytes.acquire().raw(envelope.opening());
        }
    }

    /**
     * Returns the whole page, with its items in the list's order.
     *
     * @param facts writes the other members of the object that holds the items
     */
    public byte[] finish(Consumer<JsonBytes> facts) {
        begin();
        json.raw(']').raw(',');
        if (keys.isPresent()) {
            json.raw("\"keys\":");
            keys.get().write(json, direction == Direction.BACKWARD);
            json.raw(',');
        }
        itemsLength = json.length();
        facts.accept(json);
        byte[] page = json.raw(envelope.closing()).toBytes();
        if (direction == Direction.BACKWARD) {
            reverse(page);
        }
        json.release();
        return page;
    }

    /** Returns the number of bytes before the facts. Can be called only after {@link #finish}. */
    public int itemsLength() {
        return itemsLength;
    }

    private void reverse(byte[] page) {
        int start = envelope.opening().length;
        for (int i = 0, end = rows == 0 ? start : ends[rows - 1]; i < rows; i++) {
            int from = i == 0 ? start : ends[i - 1] + 1;
            int length = ends[i] - from;
            json.copyTo(from, ends[i], page, end - length);
            end -= length + 1;
            if (end > start) {
                page[end] = ',';
            }
        }
    }
}
