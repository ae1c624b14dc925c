package dev.tidemark.feed.value;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * Floating-point numbers in the fewest digits that read back as the same number, on every Java: up to 18, Java's own
 * conversion writes some with more, and a cursor of one Java would be none of another.
 */
public final class FloatText {

    private FloatText() {}

    public static String of(float number) {
        return NumberOutput.toString(number, true);
    }

    public static String of(double number) {
        return NumberOutput.toString(number, true);
    }
}
