package dev.tidemark.postgres.rows;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.IntPredicate;

/** A row whose values the driver has decoded. */
public final class DriverRow extends StatementRow {

    private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

    /** PostgreSQL's earliest timestamp, November 24, 4714 BC. */
    private static final LocalDateTime EARLIEST_TIMESTAMP = LocalDateTime.of(-4713, 11, 24, 0, 0);

    private final Row row;

    public DriverRow(Row row) {
        this.row = row;
    }

    @Override
    public StatementRow copy(IntPredicate columns) {
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
    public long epochDay(int column) {
        LocalDate date = (LocalDate) value(column);
        if (date.equals(LocalDate.MAX)) {
            return INFINITY;
        }
        return date.equals(LocalDate.MIN) ? MINUS_INFINITY : date.toEpochDay();
    }

    /**
     * The driver returns {@link LocalDateTime#MAX} for infinity. It returns {@link LocalDateTime#MIN} for PostgreSQL's
     * earliest timestamp, which it mistakes for minus infinity.
     */
    @Override
    public long microsSince2000(int column) {
        LocalDateTime timestamp =
                value(column) instanceof OffsetDateTime inUtc ? inUtc.toLocalDateTime() : (LocalDateTime) value(column);
        if (timestamp.equals(LocalDateTime.MAX)) {
            return INFINITY;
        }
        return ChronoUnit.MICROS.between(EPOCH, timestamp.equals(LocalDateTime.MIN) ? EARLIEST_TIMESTAMP : timestamp);
    }

    @Override
    public byte[] bytes(int column) {
        return ((Buffer) value(column)).getBytes();
    }

    @Override
    public int size(int column) {
        Object value = value(column);
        if (value instanceof String text) {
            return text.length();
        }
        return value instanceof Buffer bytes ? bytes.length() : Long.BYTES;
    }

    @Override
    public String text(int column) {
        return (String) value(column);
    }

    @Override
    public <T> void writeUtf8(int column, T target, Utf8Writer<T> writer) {
        byte[] utf8 = text(column).getBytes(StandardCharsets.UTF_8);
        writer.write(target, utf8, 0, utf8.length);
    }

    private Object value(int column) {
        return row.getValue(column);
    }
}
