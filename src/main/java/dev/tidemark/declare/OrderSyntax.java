package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.OrderTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses an order, which is written as in SQL: terms separated by commas, each with a column, optionally {@code asc}
 * or {@code desc}, and optionally {@code nulls first} or {@code nulls last}. Column names are case-sensitive. A name
 * must be in double quotes unless it starts with a letter or {@code _} and has only letters, digits, {@code _} and
 * {@code $}.
 */
final class OrderSyntax {

    private static final Pattern TERM = Pattern.compile(
            "\\s*(?:\"(?<quoted>(?:[^\"]|\"\")+)\"|(?<plain>[\\p{L}_][\\p{L}\\p{N}_$]*))"
                    + "(?:\\s+(?<direction>asc|desc))?(?:\\s+nulls\\s+(?<nulls>first|last))?\\s*",
            Pattern.CASE_INSENSITIVE);

    private OrderSyntax() {}

    /** @return the terms; empty if the text is not a valid order */
    static Optional<List<OrderTerm>> parse(String text) {
        List<OrderTerm> terms = new ArrayList<>();
        Matcher term = TERM.matcher(text);
        int from = 0;
        while (true) {
            term.region(from, text.length());
            if (!term.lookingAt()) {
                return Optional.empty();
            }
            terms.add(term(term));
            if (term.end() == text.length()) {
                return Optional.of(List.copyOf(terms));
            }
            if (text.charAt(term.end()) != ',') {
                return Optional.empty();
            }
            from = term.end() + 1;
        }
    }

    private static OrderTerm term(Matcher term) {
        String quoted = term.group("quoted");
        String column = quoted != null ? quoted.replace("\"\"", "\"") : term.group("plain");
        boolean descending = "desc".equals(lowerCase(term.group("direction")));
        Optional<Boolean> nullsFirst =
                Optional.ofNullable(term.group("nulls")).map(nulls -> "first".equals(lowerCase(nulls)));
        return new OrderTerm(column, descending, nullsFirst);
    }

    private static @Nullable String lowerCase(@Nullable String word) {
        return word == null ? null : word.toLowerCase(Locale.ROOT);
    }
}
