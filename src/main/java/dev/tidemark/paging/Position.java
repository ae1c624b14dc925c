package dev.tidemark.paging;

import java.util.Arrays;

/**
 * A point in a total order: the values of its keys, in the order's sequence, whether or not a row stands there now.
 *
 * <p>Values are held as PostgreSQL writes them in text (time zone UTC, ISO dates), a SQL NULL as {@code null}. That
 * form loses nothing for any type that may be a key: microseconds, numeric scale, infinities, NaN and years before
 * Christ all survive, and the database alone decides how two values compare.
 */
public final class Position {

    private final String[] values;

    private Position(String[] values) {
        this.values = values;
    }

    /** @param values one value for each key; not copied, so the caller gives the array away */
    public static Position of(String... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a position has at least one value");
        }
        return new Position(values);
    }

    public int size() {
        return values.length;
    }

    /** The value of the key at {@code index}, {@code null} for a SQL NULL. */
    public String value(int index) {
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

    /** Tells the number of keys only: what stands in a row is not for logs. */
    @Override
    public String toString() {
        return "Position[" + values.length + " keys]";
    }
}
