package dev.tidemark.postgres;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.UUID;

/** A row whose values the driver has decoded. */
final class DriverRow extends StatementRow {

    private final Row row;

    DriverRow(Row row) {
        this.row = row;
    }

    @Override
    int number() {
        return ((Number) row.getValue(0)).intValue();
    }

    @Override
    boolean isWithin() {
        return row.getBoolean(row.size() - 1);
    }

    @Override
    StatementRow copy() {
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

    @Override
    public <T> void utf8(int column, T target, Utf8Writer<T> writer) {
        byte[] utf8 = text(column).getBytes(StandardCharsets.UTF_8);
        writer.write(target, utf8, 0, utf8.length);
    }

    private Object value(int column) {
        return row.getValue(column + LEADING);
    }
}
