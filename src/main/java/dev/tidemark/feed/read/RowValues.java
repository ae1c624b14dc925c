package dev.tidemark.feed.read;

import dev.tidemark.feed.ColumnType;
import java.util.UUID;

/**
 * The values of one row, by index into the feed's columns. The values of the feed's embeds follow in their order: for
 * each embed, a value that is NULL if the embedded row does not exist, and then the values of its columns. Valid only
 * during the call that passes the row to a {@link RowSink}.
 *
 * <p>The {@link ColumnType} of a column determines its accessor. Callers must not use another accessor, and must not
 * use any accessor for a NULL. Types without an accessor of their own are read with {@link #text}, in PostgreSQL's
 * text format.
 */
public interface RowValues {

    /** The date or timestamp {@code infinity}. */
    long INFINITY = Long.MAX_VALUE;

    /** The date or timestamp {@code -infinity}. */
    long MINUS_INFINITY = Long.MIN_VALUE;

    /** 2000-01-01, the epoch of {@link #microsSince2000}, in days since 1970-01-01. */
    long POSTGRES_EPOCH_DAY = 10_957;

    boolean isNull(int column);

    boolean bool(int column);

    /** For SMALLINT, INTEGER, BIGINT, and {@link ColumnType.EpochType}. */
    long integer(int column);

    float real(int column);

    double doublePrecision(int column);

    UUID uuid(int column);

    /** For DATE: days since 1970-01-01. */
    long epochDay(int column);

    /**
     * For TIMESTAMP and TIMESTAMPTZ: microseconds since 2000-01-01T00:00:00 (UTC), as PostgreSQL stores them.
     * Microseconds since 1970 would overflow for the latest timestamps.
     */
    long microsSince2000(int column);

    byte[] bytes(int column);

    /**
     * Returns about how many bytes a value has. Unlike the other accessors, also for NULL and for oversized values.
     */
    default int size(int column) {
        return 0;
    }

    /** For TEXT, enums, NUMERIC, TIME, JSON, arrays and OTHER. */
    String text(int column);

    /** Passes the UTF-8 bytes of {@link #text} to the writer, without copying them if possible. */
    <T> void writeUtf8(int column, T target, Utf8Writer<T> writer);

    /** Writes a range of bytes that is valid only during the call. */
    @FunctionalInterface
    interface Utf8Writer<T> {
        void write(T target, byte[] bytes, int start, int length);
    }
}
