package dev.tidemark.feed.value;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * Formats floating-point numbers with the fewest digits that identify the number. The result does not depend on the Java
 * version: up to Java 18, {@code Double.toString} writes more digits than necessary, and cursors would differ.
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
