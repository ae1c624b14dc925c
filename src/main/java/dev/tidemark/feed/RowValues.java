package dev.tidemark.feed;

import java.util.UUID;

/**
 * The values of one row, in the sequence of the feed's columns; valid only while the sink that was given it runs.
 *
 * <p>Which accessor serves a column follows from its {@link ColumnType}; calling another one, or any on a NULL, is a
 * bug. What has no accessor of its own comes as {@link #text}, as PostgreSQL writes it.
 */
public interface RowValues {

    /** The greatest and the smallest long stand for {@code infinity} and {@code -infinity} of dates and timestamps. */
    long INFINITY = Long.MAX_VALUE;

    long MINUS_INFINITY = Long.MIN_VALUE;

    /** 2000-01-01, from which microseconds are counted, as {@link #days} counts it. */
    long POSTGRES_EPOCH_DAY = 10_957;

    boolean isNull(int column);

    boolean bool(int column);

    /** Of SMALLINT, INTEGER and BIGINT. */
    long integer(int column);

    float real(int column);

    double doublePrecision(int column);

    UUID uuid(int column);

    /** Of DATE: days since 1970-01-01. */
    long days(int column);

    /**
     * Of TIMESTAMP and TIMESTAMPTZ: microseconds since 2000-01-01T00:00:00 (UTC), as PostgreSQL stores them. Counted from
     * 1970, its last years would not fit.
     */
    long micros(int column);

    byte[] bytes(int column);

    /** Of TEXT, ENUM, NUMERIC, TIME, JSON, arrays and types that are not understood. */
    String text(int column);

    /** The same as bytes, which may be part of a buffer that other values stand in. */
    <T> void utf8(int column, T target, Utf8Writer<T> writer);

    /** Writes text, which is only there while it does. */
    @FunctionalInterface
    interface Utf8Writer<T> {
        void write(T target, byte[] bytes, int start, int length);
    }
}
