package dev.tidemark.feed.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/** Parses numbers, checks their ranges, and returns them in a canonical text form that PostgreSQL accepts. */
final class NumberText {

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");

    /** An exponent can have six digits at most, apart from leading zeros. A larger exponent could exhaust memory. */
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?0*\\d{1,6})?");

    /** The maximum number of digits before the decimal point in PostgreSQL's numeric. */
    private static final int MAX_WHOLE_DIGITS = 131_072;

    /** The maximum number of digits after the decimal point in PostgreSQL's numeric. */
    private static final int MAX_FRACTION_DIGITS = 16_383;

    /** The maximum length. Parsing runs on an event loop and takes time that is quadratic in the number of digits. */
    private static final int MAX_CHARS = 1_000;

    private NumberText() {}

    static String parseWholeNumber(String text, long min, long max) {
        if (text.length() > MAX_CHARS || !WHOLE.matcher(text).matches()) {
            throw new InvalidValueException("it must be a whole number");
        }
        BigInteger number = new BigInteger(text);
        if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
            throw new InvalidValueException("it must be from " + min + " to " + max);
        }
        return number.toString();
    }

    static String parseNumeric(String text) {
        if (isSpecial(text)) {
            return text;
        }
        BigDecimal number = parseDecimal(text).stripTrailingZeros();
        if (number.scale() > MAX_FRACTION_DIGITS || (long) number.precision() - number.scale() > MAX_WHOLE_DIGITS) {
            throw new InvalidValueException("it can have at most " + MAX_WHOLE_DIGITS
                    + " digits before the decimal point and " + MAX_FRACTION_DIGITS + " after it");
        }
        return number.toString();
    }

    static String parseReal(String text) {
        if (isSpecial(text)) {
            return text;
        }
        boolean isZero = parseDecimal(text).signum() == 0;
        float number = Float.parseFloat(text);
        checkRange(isZero, number == 0, Float.isInfinite(number));
        return isZero ? "0" : FloatText.format(number);
    }

    static String parseDoublePrecision(String text) {
        if (isSpecial(text)) {
            return text;
        }
        boolean isZero = parseDecimal(text).signum() == 0;
        double number = Double.parseDouble(text);
        checkRange(isZero, number == 0, Double.isInfinite(number));
        return isZero ? "0" : FloatText.format(number);
    }

    private static boolean isSpecial(String text) {
        return text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity");
    }

    private static BigDecimal parseDecimal(String text) {
        if (text.length() > MAX_CHARS) {
            throw new InvalidValueException("it can have at most " + MAX_CHARS + " characters");
        }
        if (!DECIMAL.matcher(text).matches()) {
            throw new InvalidValueException("it must be a number such as 12.5");
        }
        return new BigDecimal(text);
    }

    /** Rejects numbers that overflow to infinity or underflow to 0, as PostgreSQL does. */
    private static void checkRange(boolean isZero, boolean isParsedAsZero, boolean isInfinite) {
        if (isInfinite || isParsedAsZero && !isZero) {
            throw new InvalidValueException("it is out of the range of its type");
        }
    }
}
