package dev.tidemark.http.json;

import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.value.TemporalText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Writes an array element as JSON, in the same form as a value of a column that has the element's type. The element is
 * given in PostgreSQL's text form.
 */
@FunctionalInterface
interface ElementWriter {

    void write(JsonBytes json, String element);

    static ElementWriter of(ColumnType type) {
        return type instanceof Scalar scalar ? of(scalar) : JsonBytes::string;
    }

    private static ElementWriter of(Scalar type) {
        return switch (type) {
            case SMALLINT, INTEGER -> JsonBytes::raw;
            case JSON ->
                (json, element) -> {
                    byte[] utf8 = element.getBytes(StandardCharsets.UTF_8);
                    json.document(utf8, 0, utf8.length);
                };
            case REAL -> (json, element) -> json.number(Float.parseFloat(element));
            case DOUBLE -> (json, element) -> json.number(Double.parseDouble(element));
            case BOOLEAN -> (json, element) -> json.bool(element.equals("t"));
            case DATE -> (json, element) -> IsoText.writeDate(json, TemporalText.parseDate(element));
            case TIMESTAMP ->
                (json, element) -> IsoText.writeTimestamp(json, TemporalText.parseTimestamp(element, false), false);
            case TIMESTAMPTZ ->
                (json, element) -> IsoText.writeTimestamp(json, TemporalText.parseTimestamp(element, true), true);
            // Database sessions set bytea_output to hex, so the text is \x and two hexadecimal digits per byte.
            case BYTEA -> (json, element) -> json.base64(HexFormat.of().parseHex(element, 2, element.length()));
            case BIGINT, NUMERIC, TEXT, UUID, TIME, OTHER -> JsonBytes::string;
        };
    }
}
