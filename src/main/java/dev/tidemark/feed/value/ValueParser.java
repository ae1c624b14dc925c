package dev.tidemark.feed.value;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Parses the values that clients send for a column. The result is a canonical text that PostgreSQL accepts. Thus
 * {@code 1.0} and {@code 1.00} produce the same list state, and a value that is out of range is rejected before a
 * statement can fail. The parser also accepts the values in the form in which the server writes them as JSON.
 */
public final class ValueParser {

    private static final Pattern UUID_FORM =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

    /** Matches an offset such as {@code +02:00} whose {@code +} was decoded to a space. */
    private static final Pattern DECODED_PLUS = Pattern.compile(".*:\\d\\d(\\.\\d+)? \\d\\d(:?\\d\\d)?");

    private ValueParser() {}

    /**
     * @return the canonical text
     * @throws InvalidValueException if the text is not a value of the column's type, or is a time that no number of an
     *     {@link EpochType} is equal to
     */
    public static String parse(Column column, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidValueException("the character NUL is not allowed");
        }
        if (column.type() instanceof EnumType enumType) {
            return parseLabel(enumType, text);
        }
        if (column.type() instanceof EpochType epoch) {
            return Long.toString(EpochTime.parse(epoch, text)
                    .exact()
                    .orElseThrow(() -> new InvalidValueException("no number of the column is equal to this time")));
        }
        if (column.type() instanceof Scalar scalar) {
            return parseScalar(scalar, text);
        }
        throw new IllegalArgumentException("arrays cannot be parsed");
    }

    private static String parseScalar(Scalar type, String text) {
        return switch (type) {
            case SMALLINT -> NumberText.parseWholeNumber(text, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> NumberText.parseWholeNumber(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> NumberText.parseWholeNumber(text, Long.MIN_VALUE, Long.MAX_VALUE);
            case NUMERIC -> NumberText.parseNumeric(text);
            case REAL -> NumberText.parseReal(text);
            case DOUBLE -> NumberText.parseDoublePrecision(text);
            case BOOLEAN -> parseBoolean(text);
            case TEXT -> text;
            case UUID -> parseUuid(text);
            case DATE -> parseTemporal(text, () -> TemporalText.formatDate(TemporalText.parseDate(text)));
            case TIME -> parseTemporal(text, () -> TimeText.canonicalize(text));
            case TIMESTAMP ->
                parseTemporal(
                        text, () -> TemporalText.formatTimestamp(TemporalText.parseTimestamp(text, false), false));
            case TIMESTAMPTZ ->
                parseTemporal(text, () -> TemporalText.formatTimestamp(TemporalText.parseTimestamp(text, true), true));
            case JSON, BYTEA, OTHER -> throw new IllegalArgumentException(type + " cannot be parsed");
        };
    }

    private static String parseLabel(EnumType type, String text) {
        if (!type.labels().contains(text)) {
            throw new InvalidValueException("it must be one of " + String.join(", ", type.labels()));
        }
        return text;
    }

    private static String parseBoolean(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidValueException("it must be true or false");
        }
        return text;
    }

    private static String parseUuid(String text) {
        if (!UUID_FORM.matcher(text).matches()) {
            throw new InvalidValueException("it must be a UUID such as 01234567-89ab-cdef-0123-456789abcdef");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    /** As {@link TemporalText#parseEpochMicros}. */
    static BigInteger parseEpochMicros(String text) {
        return parseTemporal(text, () -> TemporalText.parseEpochMicros(text));
    }

    private static <T> T parseTemporal(String text, Supplier<T> canonical) {
        try {
            return canonical.get();
        } catch (DateTimeException e) {
            String hint = DECODED_PLUS.matcher(text).matches() ? "; encode + in a URL as %2B" : "";
            throw new InvalidValueException(e.getMessage() + hint);
        }
    }
}
