package dev.tidemark.propose;

import dev.tidemark.feed.SqlQuoting;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes column names in the syntax of declared orders. */
final class OrderTerms {

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");

    private OrderTerms() {}

    static String column(String name) {
        return PLAIN.matcher(name).matches() ? name : SqlQuoting.quoteIdentifier(name);
    }

    static String columns(List<String> names) {
        return names.stream().map(OrderTerms::column).collect(Collectors.joining(", "));
    }
}
