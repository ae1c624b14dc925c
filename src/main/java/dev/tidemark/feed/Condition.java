package dev.tidemark.feed;

import java.util.List;

/**
 * One thing that is asked of a column. Values are in PostgreSQL's text form and known to be of the column's type.
 */
public sealed interface Condition {

    Column column();

    /** What the condition is, in one spelling only: equal conditions of a list state have equal texts. */
    String definition();

    /** Any of {@code values}, which are sorted and differ. */
    record AnyOf(Column column, List<String> values) implements Condition {
        public AnyOf {
            values = values.stream().sorted().distinct().toList();
            if (values.isEmpty()) {
                throw new IllegalArgumentException("any of nothing");
            }
        }

        @Override
        public String definition() {
            return Condition.spell(column, "eq", values);
        }

        @Override
        public String toString() {
            return "AnyOf[" + column.name() + ']';
        }
    }

    /** Is {@code value}, which the caller's token says and not the request: the rows that are the caller's own. */
    record Scoped(Column column, String value) implements Condition {
        @Override
        public String definition() {
            return Condition.spell(column, "scope", List.of(value));
        }

        @Override
        public String toString() {
            return "Scoped[" + column.name() + ']';
        }
    }

    /** On one side of {@code value}; {@code comparison} is one of the range operators. */
    record Compared(Column column, Filter.Operator comparison, String value) implements Condition {
        @Override
        public String definition() {
            return Condition.spell(column, comparison.wireName(), List.of(value));
        }

        @Override
        public String toString() {
            return "Compared[" + column.name() + ']';
        }
    }

    /** Begins with {@code text}, in exactly its case. */
    record Prefix(Column column, String text) implements Condition {
        @Override
        public String definition() {
            return Condition.spell(column, "prefix", List.of(text));
        }

        @Override
        public String toString() {
            return "Prefix[" + column.name() + ']';
        }
    }

    /** Contains {@code text}, in any case. */
    record Contains(Column column, String text) implements Condition {
        @Override
        public String definition() {
            return Condition.spell(column, "contains", List.of(text));
        }

        @Override
        public String toString() {
            return "Contains[" + column.name() + ']';
        }
    }

    /** Is NULL, or is anything else. */
    record Nullness(Column column, boolean isNull) implements Condition {
        @Override
        public String definition() {
            return Condition.spell(column, isNull ? "null" : "notnull", List.of());
        }
    }

    /** Each part is led by its length, so that no two conditions can run into the same text. */
    private static String spell(Column column, String operator, List<String> values) {
        StringBuilder spelled = new StringBuilder();
        spelled.append(column.name().length()).append(':').append(column.name());
        spelled.append('.').append(operator);
        for (String value : values) {
            spelled.append(' ').append(value.length()).append(':').append(value);
        }
        return spelled.toString();
    }
}
