package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.RowValues;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes the key of a row: the value of the key's column, or an array of values in key order if the key has several
 * columns.
 */
public final class KeyWriter {

    private final int[] indexes;
    private final ColumnWriter[] writers;

    private KeyWriter(int[] indexes, ColumnWriter[] writers) {
        this.indexes = indexes;
        this.writers = writers;
    }

    /** @param feed a feed whose columns include its key */
    public static KeyWriter of(Feed feed) {
        List<Column> key = feed.relation().key();
        return new KeyWriter(
                key.stream().mapToInt(feed.columns()::indexOf).toArray(),
                key.stream().map(ColumnWriter::of).toArray(ColumnWriter[]::new));
    }

    /** Whether keys contain the value at an index of a row. */
    public boolean reads(int index) {
        return IntStream.of(indexes).anyMatch(keyIndex -> keyIndex == index);
    }

    public void write(JsonBytes json, RowValues row) {
        if (indexes.length == 1) {
            writers[0].write(json, row, indexes[0]);
            return;
        }
        for (int i = 0; i < indexes.length; i++) {
            json.raw(i == 0 ? '[' : ',');
            writers[i].write(json, row, indexes[i]);
        }
        json.raw(']');
    }
}
