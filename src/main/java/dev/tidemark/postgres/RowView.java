package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.FloatText;
import dev.tidemark.feed.RowValues;
import dev.tidemark.feed.TemporalText;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.time.LocalDate;
import java.util.UUID;

/** One row of the driver's at a time; the same view serves a whole page. */
final class RowView implements RowValues {

    /** Columns of the statement that stand before the feed's. */
    private static final int LEADING = 1;

    private Row row;

    RowView on(Row next) {
        row = next;
        return this;
    }

    @Override
    public boolean isNull(int column) {
        return value(column) == null;
    }

    @Override
    public boolean bool(int column) {
        return (Boolean) value(column);
    }

    @Override
    public long integer(int column) {
        return ((Number) value(column)).longValue();
    }

    @Override
    public float real(int column) {
        return (Float) value(column);
    }

    @Override
    public double doublePrecision(int column) {
        return (Double) value(column);
    }

    @Override
    public UUID uuid(int column) {
        return (UUID) value(column);
    }

    @Override
    public long days(int column) {
        LocalDate date = (LocalDate) value(column);
        if (date.equals(LocalDate.MAX)) {
            return INFINITY;
        }
        return date.equals(LocalDate.MIN) ? MINUS_INFINITY : date.toEpochDay();
    }

    @Override
    public long micros(int column) {
        return ((Buffer) value(column)).getLong(0);
    }

    @Override
    public byte[] bytes(int column) {
        return ((Buffer) value(column)).getBytes();
    }

    @Override
    public String text(int column) {
        return (String) value(column);
    }

    /** The value as a position holds it: PostgreSQL's text. */
    String positionText(int index, Column column) {
        if (isNull(index)) {
            return null;
        }
        if (!(column.type() instanceof Scalar scalar)) {
            return text(index);
        }
        return switch (scalar) {
            case SMALLINT, INTEGER, BIGINT -> Long.toString(integer(index));
            case REAL -> FloatText.of(real(index));
            case DOUBLE -> FloatText.of(doublePrecision(index));
            case BOOLEAN -> Boolean.toString(bool(index));
            case UUID -> uuid(index).toString();
            case DATE -> TemporalText.date(days(index));
            case TIMESTAMP -> TemporalText.timestamp(micros(index), false);
            case TIMESTAMPTZ -> TemporalText.timestamp(micros(index), true);
            case NUMERIC, TEXT, TIME -> text(index);
            case JSON, BYTEA, OTHER -> throw new IllegalStateException("no key is of type " + scalar);
        };
    }

    private Object value(int column) {
        return row.getValue(column + LEADING);
    }
}
