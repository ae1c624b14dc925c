package dev.tidemark.feed.value;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.ColumnType.Scalar;
import java.time.DateTimeException;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads what a client sends for a column. The result is PostgreSQL's text form in one spelling only, of which the
 * database will take every instance: {@code 1.0} and {@code 1.00} make the same list state, and a value out of range is
 * refused here and not by a failing statement. What the server itself writes as JSON is read as well.
 */
public final class ValueParser {

    private static final Pattern UUID_FORM =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

    /** What is left of {@code +02:00} when its sign was not percent-encoded. */
    private static final Pattern LOST_PLUS = Pattern.compile(".*:\\d\\d(\\.\\d+)? \\d\\d(:?\\d\\d)?");

    private ValueParser() {}

    /** @throws InvalidValueException when the text is no value of the column's type */
    public static String parse(Column column, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidValueException("no text holds the character NUL");
        }
        if (column.type() instanceof Enumerated labels) {
            return label(labels, text);
        }
        if (column.type() instanceof Scalar scalar) {
            return scalar(scalar, text);
        }
        throw new IllegalArgumentException("nobody can ask for an array");
    }

    private static String scalar(Scalar type, String text) {
        return switch (type) {
            case SMALLINT -> NumberText.whole(text, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> NumberText.whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> NumberText.whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
            case NUMERIC -> NumberText.numeric(text);
            case REAL -> NumberText.real(text);
            case DOUBLE -> NumberText.doublePrecision(text);
            case BOOLEAN -> bool(text);
            case TEXT -> text;
            case UUID -> uuid(text);
            case DATE -> temporal(text, () -> TemporalText.date(TemporalText.days(text)));
            case TIME -> temporal(text, () -> TimeText.canonical(text));
            case TIMESTAMP -> temporal(text, () -> TemporalText.timestamp(TemporalText.micros(text, false), false));
            case TIMESTAMPTZ -> temporal(text, () -> TemporalText.timestamp(TemporalText.micros(text, true), true));
            case JSON, BYTEA, OTHER -> throw new IllegalArgumentException("nobody can ask for " + type);
        };
    }

    private static String label(Enumerated type, String text) {
        if (!type.labels().contains(text)) {
            throw new InvalidValueException("not one of: " + String.join(", ", type.labels()));
        }
        return text;
    }

    private static String bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidValueException("neither true nor false");
        }
        return text;
    }

    private static String uuid(String text) {
        if (!UUID_FORM.matcher(text).matches()) {
            throw new InvalidValueException("not a UUID such as 01234567-89ab-cdef-0123-456789abcdef");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static String temporal(String text, Supplier<String> canonical) {
        try {
            return canonical.get();
        } catch (DateTimeException e) {
            String hint = LOST_PLUS.matcher(text).matches() ? "; a + in a URL is written %2B" : "";
            throw new InvalidValueException(e.getMessage() + hint);
        }
    }
}
