package dev.tidemark.http.query;

import dev.tidemark.feed.Feed.Universal.Strategy;
import dev.tidemark.paging.Direction;
import java.util.regex.Pattern;

/**
 * A token of the universal protocol as it came: its parameter says which way to go on, and its spelling which strategy it
 * is of, whatever the feed's is now. A sealed cursor begins with {@code A}, and a number with a digit.
 */
public record UniversalToken(String text, Direction direction) {

    /** In its one spelling only. A longer one is no number that was ever given. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

    public String parameter() {
        return parameter(direction);
    }

    /** The parameter that a token comes in to go on in that direction. */
    public static String parameter(Direction direction) {
        return switch (direction) {
            case FORWARD -> "after";
            case BACKWARD -> "before";
        };
    }

    Strategy strategy() {
        return NUMBER.matcher(text).matches() ? Strategy.OFFSET : Strategy.CURSOR;
    }

    /**
     * How many rows stand before the place that the number names. Rows are counted from 1: {@code after=19} goes on behind
     * the 19th, {@code before=19} in front of it; before the first one, and before number 0, there is nothing.
     */
    public int preceding() {
        int number = Integer.parseInt(text);
        return switch (direction) {
            case FORWARD -> number;
            case BACKWARD -> Math.max(0, number - 1);
        };
    }

    /** What stands in a token is not for logs. */
    @Override
    public String toString() {
        return "UniversalToken[" + parameter() + ']';
    }
}
