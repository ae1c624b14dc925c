package dev.tidemark.declare;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The text of a condition that a feed declares. */
final class ConditionText {

    /** A name with escapes, such as {@code U&"d\0061ta"}. */
    private static final Pattern ESCAPED_NAME = Pattern.compile("U&\"", Pattern.CASE_INSENSITIVE);

    /** PostgreSQL cuts a name after 63 bytes, or after a few less if the last character has several. */
    private static final int UNCUT_BYTES = 59;

    private ConditionText() {}

    /**
     * Returns the columns that a condition can depend on, which can be more than those that it does. A function of the
     * whole row, such as {@code is_open(orders)}, can depend on any column.
     */
    static Set<String> columns(String condition, String table, Set<String> all) {
        if (names(condition, table) || ESCAPED_NAME.matcher(condition).find()) {
            return all;
        }
        return all.stream()
                .filter(column ->
                        names(condition, column) || column.getBytes(StandardCharsets.UTF_8).length > UNCUT_BYTES)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean names(String condition, String name) {
        return Pattern.compile(
                        "(?<![\\p{L}\\p{N}_$])" + Pattern.quote(name.replace("\"", "\"\"")) + "(?![\\p{L}\\p{N}_$])",
                        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                .matcher(condition)
                .find();
    }
}
