package dev.tidemark.feed.value;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * Formats floating-point numbers with the fewest digits that identify the number. {@code Double.toString} is not used,
 * because up to Java 18 it writes some numbers with more digits, so that cursors would depend on the Java version.
 */
public final class FloatText {

    private FloatText() {}

    public static String format(float number) {
        return NumberOutput.toString(number, true);
    }

    public static String format(double number) {
        return NumberOutput.toString(number, true);
    }
}
