package dev.tidemark.http.export;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.PageItems;
import java.util.Optional;

/** Renders an export in its format. Collects what has been written, and the rows of a read, until it is taken. */
abstract class ExportLines implements RowSink {

    final JsonBytes buffer = JsonBytes.create();
    final PageItems items;

    ExportLines(PageItems items) {
        this.items = items;
    }

    /**
     * Puts what begins the export before the rows of the first read, because the moment is known only then.
     *
     * @param moment a token, present if the feed has delta
     */
    final void begin(ListState state, Optional<String> moment) {
        byte[] rows = buffer.toBytes();
        buffer.clear();
        writeHead(state, moment);
        buffer.raw(rows);
    }

    abstract void writeHead(ListState state, Optional<String> moment);

    /** Writes an item, unless it does not fit. */
    @Override
    public abstract void accept(RowValues row);

    /** Writes the place behind the rows so far, after each read except the last. */
    abstract void cursor(Optional<String> cursor);

    /** Writes what ends a complete export. */
    abstract void end(long itemCount, Optional<String> cursor);

    /**
     * Returns what ends an export that failed, without what has been collected: rows of a failed read can still
     * arrive. Empty if the format cannot say that the export failed; its stream must not end as if it were complete.
     *
     * @param problem the JSON of the problem
     */
    abstract Optional<byte[]> problem(byte[] problem);

    @Override
    public final boolean reads(int index) {
        return items.reads(index);
    }

    @Override
    public final int maxBytes() {
        return items.maxBytes();
    }

    @Override
    public final boolean isFull() {
        return items.isFull();
    }

    /** Returns the number of bytes that have been collected. */
    final int length() {
        return buffer.length();
    }

    /** Returns what has been collected, and forgets it. */
    final byte[] take() {
        byte[] taken = buffer.toBytes();
        buffer.clear();
        items.clear();
        return taken;
    }
}
