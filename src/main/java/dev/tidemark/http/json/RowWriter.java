package dev.tidemark.http.json;

import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.feed.read.RowValues;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a feed in one format, and makes them fit into a number of bytes. */
public abstract sealed class RowWriter permits ItemWriter, CsvWriter {

    /** A value of a row. Those of an embed have names such as {@code author.bio}. */
    record Value(int index, String name) {}

    /**
     * Writes an item if it takes at most this many bytes.
     *
     * @return false if the item is larger; then nothing was written
     */
    final boolean writeAtMost(int maxBytes, JsonBytes json, RowValues row) {
        return writeAtMost(maxBytes, json, row, null);
    }

    private boolean writeAtMost(int maxBytes, JsonBytes json, RowValues row, @Nullable BitSet omitted) {
        int start = json.length();
        boolean fits;
        json.limitLength((int) Math.min((long) start + maxBytes, Integer.MAX_VALUE));
        try {
            write(json, row, omitted);
            fits = json.length() - start <= maxBytes;
        } catch (JsonBytes.FullException | OversizedValueException tooLarge) {
            fits = false;
        }
        json.limitLength(Integer.MAX_VALUE);
        if (!fits) {
            json.truncate(start);
        }
        return fits;
    }

    /**
     * Writes an item that takes more than this many bytes with as many of its largest values as null as are needed.
     *
     * @return the names of the columns whose values were left out
     * @throws ItemTooLargeException if the item is too large even without all values that can be left out
     */
    final List<String> writeReduced(int maxBytes, JsonBytes json, RowValues row) {
        List<Value> largestFirst = omittableValues()
                .sorted(Comparator.comparingInt((Value value) -> row.size(value.index))
                        .reversed())
                .toList();
        BitSet omitted = new BitSet();
        List<String> names = new ArrayList<>();
        for (Value value : largestFirst) {
            omitted.set(value.index);
            names.add(value.name);
            if (writeAtMost(maxBytes, json, row, omitted)) {
                return names;
            }
        }
        throw new ItemTooLargeException(names.isEmpty() ? "" : names.get(0), maxBytes);
    }

    /** Returns the values that can be left out: all but those of the feed's key. */
    abstract Stream<Value> omittableValues();

    /** Returns the name of the only column of the items; empty if they have several. */
    abstract Optional<String> onlyColumn();

    /** Whether items contain the value at an index of a row. */
    abstract boolean reads(int index);

    /** @param omitted the indexes of values that are written as null; null if there are none */
    abstract void write(JsonBytes json, RowValues row, @Nullable BitSet omitted);
}
