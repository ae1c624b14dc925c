package dev.tidemark.http.json;

import dev.tidemark.feed.read.RowValues;

/** The keys of a page's rows, collected while the rows arrive. */
public final class KeyList {

    /** The usual size of a key: that of a bigint with quotes. */
    private static final int USUAL_KEY_BYTES = 16;

    private final KeyWriter writer;
    private final JsonBytes json;
    private final int[] endOffsets;
    private int size;

    /** @param limit the maximum number of rows */
    public KeyList(KeyWriter writer, int limit) {
        this.writer = writer;
        this.json = new JsonBytes(USUAL_KEY_BYTES * limit);
        this.endOffsets = new int[limit];
    }

    public void add(RowValues row) {
        writer.write(json, row);
        endOffsets[size++] = json.length();
    }

    /** Whether keys contain the value at an index of a row. */
    public boolean reads(int index) {
        return writer.reads(index);
    }

    /**
     * Writes the keys as an array.
     *
     * @param reversed whether the rows arrived in reverse order
     */
    public void write(JsonBytes page, boolean reversed) {
        page.raw('[');
        for (int i = 0; i < size; i++) {
            int at = reversed ? size - 1 - i : i;
            if (i > 0) {
                page.raw(',');
            }
            page.raw(json, at == 0 ? 0 : endOffsets[at - 1], endOffsets[at]);
        }
        page.raw(']');
    }
}
