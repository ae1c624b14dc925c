package dev.tidemark.http.query;

import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;

/** Parses the parameter {@code limit}, and others that limit a number. */
public final class Limit {

    /** Larger numbers count as this one. */
    private static final long LARGEST_NUMBER = 100_000_000_000_000_000L;

    private Limit() {}

    /**
     * Parses a whole number of any length. A number above the maximum is reduced to the maximum. The minimum depends
     * on the endpoint, and is validated with the query.
     *
     * @throws Problem {@code invalid_limit} if the text is not a whole number
     */
    public static int parse(String text, int max) {
        return (int) Math.max(Integer.MIN_VALUE, parse(text, (long) max));
    }

    /**
     * Parses a limit like {@link #parse(String, int)}, but the maximum and the result can be beyond the range of
     * {@code int}.
     */
    public static long parse(String text, long max) {
        return parse(ParameterNames.LIMIT, text, max);
    }

    /** Parses a limit like {@link #parse(String, long)}, but of another parameter. */
    public static long parse(String name, String text, long max) {
        boolean isNegative = text.startsWith("-");
        int start = isNegative || text.startsWith("+") ? 1 : 0;
        boolean isWhole = text.length() > start;
        long number = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            isWhole &= digit >= 0 && digit <= 9;
            number = Math.min(10 * number + digit, LARGEST_NUMBER);
        }
        if (!isWhole) {
            throw Problem.ofParameter(name, ProblemCode.INVALID_LIMIT, name + " must be a whole number");
        }
        return Math.min(isNegative ? -number : number, max);
    }
}
