package dev.tidemark.http.openapi.example;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * Made-up values of columns in PostgreSQL's text format. The value of a type is fixed, so that the made-up rows are the
 * same at every start.
 */
final class ExampleValues {

    /** 2026-01-16T10:00:00.123456Z, in microseconds since 1970. */
    private static final long MICROS = 1_768_557_600_123_456L;

    private ExampleValues() {}

    /**
     * Returns the value of a column. Returns {@code null}, which stands for NULL, if the column is nullable and
     * Tidemark does not know the text format of its type.
     */
    static @Nullable String of(Column column) {
        return column.type() == Scalar.OTHER && column.nullable() ? null : of(column.type());
    }

    private static String of(ColumnType type) {
        if (type instanceof ArrayType array) {
            return "{".repeat(array.dimensions()) + quote(of(array.element())) + "}".repeat(array.dimensions());
        }
        if (type instanceof EnumType enumeration) {
            return enumeration.labels().stream().findFirst().orElse("");
        }
        if (type instanceof EpochType epoch) {
            return Long.toString(MICROS / epoch.unit().micros());
        }
        return of((Scalar) type);
    }

    private static String of(Scalar type) {
        return switch (type) {
            case SMALLINT, INTEGER -> "7";
            case BIGINT -> "9876";
            case NUMERIC -> "19.90";
            case REAL, DOUBLE -> "0.5";
            case BOOLEAN -> "t";
            case TEXT, OTHER -> "text";
            case UUID -> "01234567-89ab-cdef-0123-456789abcdef";
            case DATE -> "2026-01-16";
            case TIME -> "10:00:00";
            case TIMESTAMP -> "2026-01-16 10:00:00.123456";
            case TIMESTAMPTZ -> "2026-01-16 10:00:00.123456+00";
            case JSON -> "{\"a\": [1, null]}";
            case BYTEA -> "\\x00ff";
        };
    }

    /** Returns an array element in quotes. PostgreSQL quotes only some elements, but parsing gives the same result. */
    private static String quote(String element) {
        return '"' + element.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
