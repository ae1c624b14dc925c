package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.read.RowValues;

/** Writes the non-NULL values of a column. The writers of a feed are created once, for the types of its columns. */
@FunctionalInterface
public interface ColumnWriter {

    void write(JsonBytes json, RowValues row, int column);

    static ColumnWriter of(Column column) {
        ColumnType type = column.type();
        if (type instanceof ArrayType array) {
            ElementWriter elements = ElementWriter.of(array.element());
            return (json, row, at) -> ArrayText.write(json, row.text(at), elements);
        }
        if (type instanceof EpochType epoch) {
            int unitMicros = epoch.unit().micros();
            return (json, row, at) -> IsoText.writeEpoch(json, row.integer(at), unitMicros);
        }
        return type instanceof Scalar scalar ? of(scalar) : ColumnWriter::writeText;
    }

    private static ColumnWriter of(Scalar type) {
        return switch (type) {
            case SMALLINT, INTEGER -> (json, row, at) -> json.number(row.integer(at));
            // JavaScript numbers represent integers exactly only up to 53 bits.
            case BIGINT ->
                (json, row, at) -> json.raw('"').number(row.integer(at)).raw('"');
            case REAL -> (json, row, at) -> json.number(row.real(at));
            case DOUBLE -> (json, row, at) -> json.number(row.doublePrecision(at));
            case BOOLEAN -> (json, row, at) -> json.bool(row.bool(at));
            case UUID -> (json, row, at) -> json.string(row.uuid(at).toString());
            case DATE -> (json, row, at) -> IsoText.writeDate(json, row.epochDay(at));
            case TIMESTAMP -> (json, row, at) -> IsoText.writeTimestamp(json, row.microsSince2000(at), false);
            case TIMESTAMPTZ -> (json, row, at) -> IsoText.writeTimestamp(json, row.microsSince2000(at), true);
            case JSON -> (json, row, at) -> row.writeUtf8(at, json, JsonBytes::document);
            case BYTEA -> (json, row, at) -> json.base64(row.bytes(at));
            case NUMERIC, TEXT, TIME, OTHER -> ColumnWriter::writeText;
        };
    }

    private static void writeText(JsonBytes json, RowValues row, int column) {
        row.writeUtf8(column, json, JsonBytes::string);
    }
}
