package dev.tidemark.postgres.sql;

import java.util.Optional;

/** Builds the patterns and bounds of text filters. */
final class TextPattern {

    private TextPattern() {}

    /** Returns a LIKE pattern that matches all strings that contain {@code text} literally. */
    static String likePattern(String text) {
        return '%' + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + '%';
    }

    /**
     * Returns the first string after all strings that start with {@code prefix}, in the order of UTF-8 bytes, which is
     * also the order of code points; empty if there is none.
     */
    static Optional<String> upperBound(String prefix) {
        int[] codePoints = prefix.codePoints().toArray();
        for (int length = codePoints.length; length > 0; length--) {
            int last = codePoints[length - 1];
            if (last < Character.MAX_CODE_POINT) {
                codePoints[length - 1] = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return Optional.of(new String(codePoints, 0, length));
            }
        }
        return Optional.empty();
    }
}
