package dev.tidemark.feed;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * Floats in the fewest digits that read back the same, on every Java. Up to 18, Java's own text of some, such as 2.0E23,
 * has more digits than that: a cursor or list state of one Java would then be none of another.
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
