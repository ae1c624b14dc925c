package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The WHERE conditions of a list: the feed's {@code visible} condition and those of the list state. */
final class ListConditions {

    private final Feed feed;
    private final Order order;
    private final String relation;
    private final Comparisons comparisons;
    private final ListShape list;
    private final int firstParameter;
    private final boolean hasServingIndex;
    private final boolean isPlannedOnce;

    /**
     * @param hasServingIndex whether an index serves the list. The conditions are then written so that the planner uses
     *     this index
     */
    ListConditions(Feed feed, Order order, ListShape list, int firstParameter, boolean hasServingIndex) {
        this.feed = feed;
        this.order = order;
        this.relation = feed.relation().name();
        this.comparisons = new Comparisons(relation, feed.relation().storage());
        this.list = list;
        this.firstParameter = firstParameter;
        this.hasServingIndex = hasServingIndex;
        this.isPlannedOnce =
                hasServingIndex && feed.relation().storage().shards().isEmpty();
    }

    /** All conditions joined by AND, for a statement that is planned for its values. */
    String conjunction() {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::inParentheses).ifPresent(conditions::add);
        int parameter = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            conditions.add(condition.sql(comparisons, parameter));
            parameter += condition.parameterCount();
        }
        return conditions.isEmpty() ? "true" : String.join(" AND ", conditions);
    }

    /**
     * The conditions for each scan. If a filter with several values is on a column that precedes the order's keys in
     * the index, each value needs its own scan; otherwise, there is a single scan.
     */
    List<List<String>> alternatives() {
        Optional<ConditionSql> splitCondition = hasServingIndex
                ? list.conditions().stream()
                        .filter(ConditionSql::isAnyOfSeveral)
                        .filter(condition -> !isOnLeadingKey(condition))
                        .findFirst()
                : Optional.empty();
        List<List<String>> alternatives = new ArrayList<>();
        for (int valueIndex = 0;
                valueIndex < splitCondition.map(ConditionSql::parameterCount).orElse(1);
                valueIndex++) {
            alternatives.add(alternative(splitCondition.orElse(null), valueIndex));
        }
        return alternatives;
    }

    /**
     * The number of leading order keys that the conditions restrict to a single value.
     */
    int fixedLeadingKeyCount() {
        int fixed = 0;
        for (OrderKey key : order.keys()) {
            if (!list.hasSingleValue(key.column())) {
                return fixed;
            }
            fixed++;
        }
        return fixed;
    }

    private boolean isOnLeadingKey(ConditionSql condition) {
        return condition.column().equals(order.keys().get(0).column());
    }

    private List<String> alternative(@Nullable ConditionSql splitCondition, int valueIndex) {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::inParentheses).ifPresent(conditions::add);
        int parameter = firstParameter;
        for (ConditionSql condition : list.conditions()) {
            if (condition.equals(splitCondition)) {
                conditions.add(equality(condition.withOneValue(), parameter + valueIndex));
                // Two values of the filter can differ as text but be equal in the column's type, so the rows that an
                // earlier scan returns are excluded.
                for (int earlier = 0; earlier < valueIndex; earlier++) {
                    conditions.add("NOT " + condition.withOneValue().sql(comparisons, parameter + earlier));
                }
            } else {
                conditions.add(
                        condition.isEquality() && !isOnLeadingKey(condition)
                                ? equality(condition, parameter)
                                : condition.sql(comparisons, parameter));
            }
            parameter += condition.parameterCount();
        }
        return conditions;
    }

    /**
     * Returns the equality, followed by the bounds {@code >=} and {@code <=} with the same value. Without these bounds,
     * the planner of a generic plan assumes that the value is about as common as the others, and can choose to scan the
     * order's own index and filter the rows. For a rare value, this reads the whole index. The planner estimates a
     * range between two unknown bounds at 0.5 % of the rows, and therefore chooses the index that starts with the
     * column, which is right for rare and common values. The index scan itself ignores the redundant bounds.
     *
     * <p>A statement that is planned for its values has no such bounds, because they would only lower the estimate.
     */
    private String equality(ConditionSql condition, int parameter) {
        if (!isPlannedOnce) {
            return condition.sql(comparisons, parameter);
        }
        String column = Sql.operand(relation, condition.column());
        String value = Sql.parameter(parameter, condition.column());
        return condition.sql(comparisons, parameter) + " AND " + column + " >= " + value + " AND " + column + " <= "
                + value;
    }
}
