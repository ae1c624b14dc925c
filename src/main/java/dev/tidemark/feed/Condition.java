package dev.tidemark.feed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A condition on one column, or on several in {@link Search}. Values are valid for the column's type and in
 * PostgreSQL's text format.
 */
public sealed interface Condition {

    /** The column, or the first of several. */
    Column column();

    /**
     * Whether the condition looks for text inside values. No index of an order serves it, so each page of a list
     * with it looks at a limited number of the rows that meet the other conditions.
     */
    default boolean isSearch() {
        return false;
    }

    /**
     * The canonical text of the condition. Two conditions of one feed are equal if and only if their definitions are
     * equal.
     */
    String definition();

    /** The column equals one of {@code values}, which are sorted and distinct. */
    record AnyOf(Column column, List<String> values) implements Condition {
        public AnyOf {
            values = values.stream().sorted().distinct().toList();
            if (values.isEmpty()) {
                throw new IllegalArgumentException("values must not be empty");
            }
        }

        @Override
        public String definition() {
            return Condition.encode(column, "eq", values);
        }

        @Override
        public String toString() {
            return "AnyOf[" + column.name() + ']';
        }
    }

    /** The column equals {@code value}, which comes from a claim in the caller's token and not from the query. */
    record InScope(Column column, String value) implements Condition {
        @Override
        public String definition() {
            return Condition.encode(column, "scope", List.of(value));
        }

        @Override
        public String toString() {
            return "InScope[" + column.name() + ']';
        }
    }

    /**
     * The column has one of the values of a membership.
     *
     * @param values the values of the claims that {@code membership.where()} names, in its order
     */
    record InMembership(Access.Membership membership, List<String> values) implements Condition {
        public InMembership {
            values = List.copyOf(values);
        }

        @Override
        public Column column() {
            return membership.column();
        }

        @Override
        public String definition() {
            List<String> parts = new ArrayList<>(List.of(
                    membership.schema(), membership.table(), membership.member().name()));
            for (int i = 0; i < values.size(); i++) {
                parts.add(membership.where().get(i).column().name());
                parts.add(values.get(i));
            }
            return Condition.encode(column(), "member", parts);
        }

        @Override
        public String toString() {
            return "InMembership[" + column().name() + ']';
        }
    }

    /** Compares the column with {@code value}. The operator is one of those of {@link Filter.Kind#RANGE}. */
    record Comparison(Column column, Filter.Operator operator, String value) implements Condition {
        @Override
        public String definition() {
            return Condition.encode(column, operator.wireName(), List.of(value));
        }

        @Override
        public String toString() {
            return "Comparison[" + column.name() + ']';
        }
    }

    /** The column starts with {@code text}. Case-sensitive. */
    record Prefix(Column column, String text) implements Condition {
        @Override
        public String definition() {
            return Condition.encode(column, "prefix", List.of(text));
        }

        @Override
        public String toString() {
            return "Prefix[" + column.name() + ']';
        }
    }

    /** The column contains {@code text}. Case-insensitive. */
    record Contains(Column column, String text) implements Condition {
        @Override
        public boolean isSearch() {
            return true;
        }

        @Override
        public String definition() {
            return Condition.encode(column, "contains", List.of(text));
        }

        @Override
        public String toString() {
            return "Contains[" + column.name() + ']';
        }
    }

    /**
     * Each word is contained in at least one of the columns. Case-insensitive.
     *
     * @param words in the order of their lower-case forms. Words that differ only in the case of A to Z are one. The
     *     words keep the case in which they were sent, because only the database knows which other letters have
     *     another case
     */
    record Search(List<Column> columns, List<String> words) implements Condition {
        public Search {
            columns = columns.stream()
                    .sorted(Comparator.comparing(Column::definition))
                    .distinct()
                    .toList();
            Map<String, String> different = new HashMap<>();
            words.forEach(word -> different.putIfAbsent(lowerCase(word, c -> c < 128), word));
            words = different.values().stream()
                    .sorted(Comparator.<String, String>comparing(Search::lowerCase)
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            if (columns.isEmpty() || words.isEmpty()) {
                throw new IllegalArgumentException("a search needs columns and words");
            }
        }

        @Override
        public Column column() {
            return columns.get(0);
        }

        @Override
        public boolean isSearch() {
            return true;
        }

        @Override
        public String definition() {
            return Condition.encode(
                    column(),
                    "search" + columns.size(),
                    Stream.concat(
                                    columns.stream().skip(1).map(Column::definition),
                                    words.stream().map(Search::lowerCase).distinct())
                            .toList());
        }

        private static String lowerCase(String word) {
            return lowerCase(word, c -> true);
        }

        /** Converts each character by itself: the lower case of the same letter does not depend on its neighbors. */
        private static String lowerCase(String word, IntPredicate which) {
            return word.codePoints()
                    .map(c -> which.test(c) ? Character.toLowerCase(c) : c)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining());
        }

        @Override
        public String toString() {
            return "Search[" + columns.stream().map(Column::name).collect(Collectors.joining(", ")) + ']';
        }
    }

    /** The column is NULL, or is not NULL. */
    record Nullness(Column column, boolean isNull) implements Condition {
        @Override
        public String definition() {
            return Condition.encode(column, isNull ? "null" : "notnull", List.of());
        }
    }

    /**
     * Returns the canonical text of a condition. The column name and each value are prefixed with their lengths, so
     * that different conditions never have the same text.
     */
    private static String encode(Column column, String operator, List<String> values) {
        StringBuilder encoded = new StringBuilder();
        String definition = column.definition();
        encoded.append(definition.length()).append(':').append(definition);
        encoded.append('.').append(operator);
        for (String value : values) {
            encoded.append(' ').append(value.length()).append(':').append(value);
        }
        return encoded.toString();
    }
}
