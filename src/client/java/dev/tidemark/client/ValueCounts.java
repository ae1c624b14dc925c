package dev.tidemark.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of items by the values of a column, for numbers on tabs.
 *
 * @param counts in the order of the column, NULL last; or in the order of the values of a filter on the column
 * @param complete whether these are all values that occur
 */
public record ValueCounts(List<ValueCount> counts, boolean complete) {

    /**
     * The number of items with one value.
     *
     * @param value the value as text, without the quotes of a JSON string; empty for NULL
     * @param count the number of items
     * @param capped whether there are more items than {@code count}
     */
    public record ValueCount(Optional<String> value, int count, boolean capped) {

        static ValueCount parse(String json) {
            Map<String, String> members = JsonText.members(json);
            return new ValueCount(
                    text(Page.requiredMember(members, "value")),
                    Integer.parseInt(Page.requiredMember(members, "count")),
                    Page.requiredMember(members, "capped").equals("true"));
        }

        private static Optional<String> text(String literal) {
            return literal.equals("null")
                    ? Optional.empty()
                    : Optional.of(literal.startsWith("\"") ? JsonText.string(literal) : literal);
        }
    }

    static ValueCounts parse(String json) {
        Map<String, String> members = JsonText.members(json);
        return new ValueCounts(
                JsonText.elements(Page.requiredMember(members, "counts")).stream()
                        .map(ValueCount::parse)
                        .toList(),
                Page.requiredMember(members, "complete").equals("true"));
    }
}
