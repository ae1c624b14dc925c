package dev.tidemark.propose;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A trigger that runs before an update of a row.
 *
 * @param function the name of its function
 * @param source the body of the function
 * @param arguments the arguments of the trigger
 * @param isConditional whether it runs only for some updates
 */
public record UpdateTrigger(
        String name, String function, String language, String source, List<String> arguments, boolean isConditional) {

    private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

    private static final Pattern BRANCH =
            Pattern.compile("\\b(if|case|loop|exception|return\\s+old)\\b", Pattern.CASE_INSENSITIVE);

    private static final String NOW =
            "\\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|current_timestamp"
                    + "|localtimestamp)\\b";

    /** Whether a trigger sets a column to the current time. */
    enum Effect {
        NONE,
        /** The trigger sets the column on some updates only, or its source does not show that it always does. */
        SOMETIMES,
        ALWAYS
    }

    /** Determines the effect on a column from the source. Calls of other functions are not followed. */
    Effect effectOn(String column) {
        boolean sets;
        boolean hasBranches = false;
        if (language.equals("c")) {
            // The function of the extension moddatetime, which takes the column as its argument.
            sets = function.equals("moddatetime") && arguments.contains(column);
        } else {
            String code = COMMENT.matcher(source).replaceAll(" ");
            sets = Pattern.compile(
                            "\\bnew\\s*\\.\\s*(\"" + Pattern.quote(column) + "\"|" + Pattern.quote(column)
                                    + "\\b)\\s*:?=[^;]*" + NOW,
                            Pattern.CASE_INSENSITIVE)
                    .matcher(code)
                    .find();
            hasBranches = !language.equals("plpgsql") || BRANCH.matcher(code).find();
        }
        if (!sets) {
            return Effect.NONE;
        }
        return isConditional || hasBranches ? Effect.SOMETIMES : Effect.ALWAYS;
    }
}
