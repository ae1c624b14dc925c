package dev.tidemark.propose;

import dev.tidemark.naming.ColumnNames;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Recognizes columns that no feed should show, by their names and those of the table's other columns. */
final class ColumnSecrecy {

    /** A table with one of these columns is about people, whose user names are public. */
    private static final Pattern ABOUT_PEOPLE = Pattern.compile(
            "(?i)e?_?mails?(_?address)?|(first|last|full|display|given|family|nick)_?name|surname|avatar.*|bio");

    private ColumnSecrecy() {}

    /**
     * Returns why the column should not be shown, if there is a reason.
     *
     * @param table the name of its table
     * @param columns the names of all columns of its table
     */
    static Optional<String> reason(String table, String column, Collection<String> columns) {
        if (ColumnNames.suggestsSecret(column) || isPassword(column, columns)) {
            return Optional.of("looks secret");
        }
        return ColumnNames.suggestsUserNameOfPassword(column, columns) && !isAboutPeople(table, column, columns)
                ? Optional.of("the user name of a password")
                : Optional.empty();
    }

    /** Whether the column, such as {@code proxy_pass}, has the password of a user name in another column. */
    private static boolean isPassword(String column, Collection<String> columns) {
        return columns.stream().anyMatch(other -> ColumnNames.suggestsUserNameOfPassword(other, List.of(column)));
    }

    /** A user name with a prefix, such as {@code proxy_username}, is never that of the person. */
    private static boolean isAboutPeople(String table, String column, Collection<String> columns) {
        return ColumnNames.words(column).size() <= 2
                && column.matches("(?i)user_?name|user|login(_?name)?")
                && (ColumnNames.suggestsParties(table)
                        || ColumnNames.suggestsPeople(table)
                        || columns.stream()
                                .anyMatch(other -> ABOUT_PEOPLE.matcher(other).matches()));
    }
}
