package dev.tidemark.http.universal;

import dev.tidemark.feed.Feed.UniversalPolicy.Strategy;
import dev.tidemark.naming.ParameterNames;
import dev.tidemark.paging.Direction;
import java.util.regex.Pattern;

/**
 * A token of the universal protocol as it was sent. Its parameter determines the direction. Its form determines the
 * strategy, which can differ from the feed's current strategy: a sealed cursor begins with {@code A}, and an offset is
 * a number.
 */
record UniversalToken(String parameter, String text) {

    /** Matches numbers of up to nine digits without leading zeros. The server never issues longer numbers. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

    Direction direction() {
        return parameter.equals(ParameterNames.AFTER) ? Direction.FORWARD : Direction.BACKWARD;
    }

    Strategy strategy() {
        return NUMBER.matcher(text).matches() ? Strategy.OFFSET : Strategy.CURSOR;
    }

    /**
     * Returns the number of rows before the position of an offset. Rows are counted from 1: {@code after=19} continues
     * after the 19th row, and {@code before=19} before it. {@code before=0} is the same as {@code before=1}.
     */
    int precedingCount() {
        int number = Integer.parseInt(text);
        return switch (direction()) {
            case FORWARD -> number;
            case BACKWARD -> Math.max(0, number - 1);
        };
    }

    /** Omits the text, because tokens must not appear in logs. */
    @Override
    public String toString() {
        return "UniversalToken[" + parameter + ']';
    }
}
