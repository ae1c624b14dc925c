package dev.tidemark.paging;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A point in an order: one value for each key, in key order. The position of a jump to a value has only the value of
 * the first key. There may be no row at the position.
 *
 * <p>Values are in PostgreSQL's text format (time zone UTC, ISO dates), and an SQL NULL is {@code null}. This format
 * is lossless for every type that can be a key, including microseconds, numeric scale, infinities, NaN and years BC.
 * Only the database compares values.
 */
public final class Position {

    private final String[] values;

    private Position(String[] values) {
        this.values = values;
    }

    /** @param values the values in key order. The array is not copied; the caller must not change it */
    public static Position of(String... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a position needs at least one value");
        }
        return new Position(values);
    }

    public int size() {
        return values.length;
    }

    /** The value of the key at {@code index}, {@code null} for an SQL NULL. */
    public @Nullable String value(int index) {
        return values[index];
    }

    public boolean isNull(int index) {
        return values[index] == null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Position position && Arrays.equals(values, position.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** Omits the values, because row data must not appear in logs. */
    @Override
    public String toString() {
        return "Position[" + values.length + " keys]";
    }
}
