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

    /**
     * Whether the trigger sets the column to the current time on every update, as far as its source shows. Calls of
     * other functions are not followed.
     */
    boolean alwaysSetsToNow(String column) {
        if (isConditional) {
            return false;
        }
        if (language.equals("c")) {
            // The function of the extension moddatetime, which takes the column as its argument.
            return function.equals("moddatetime") && arguments.contains(column);
        }
        String code = COMMENT.matcher(source).replaceAll(" ");
        return language.equals("plpgsql")
                && !BRANCH.matcher(code).find()
                && Pattern.compile(
                                "\\bnew\\s*\\.\\s*(\"" + Pattern.quote(column) + "\"|" + Pattern.quote(column)
                                        + "\\b)\\s*:?=[^;]*" + NOW,
                                Pattern.CASE_INSENSITIVE)
                        .matcher(code)
                        .find();
    }
}
