package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The conditions of a list in SQL: the feed's own, then the list state's. */
final class ListConditions {

    private final Feed feed;
    private final Order order;
    private final String relation;
    private final ListShape list;
    private final int firstParameter;
    private final boolean indexed;

    /** @param indexed whether an index serves the list, so that its conditions take the form that uses it */
    ListConditions(Feed feed, Order order, ListShape list, int firstParameter, boolean indexed) {
        this.feed = feed;
        this.order = order;
        this.relation = feed.relation().name();
        this.list = list;
        this.firstParameter = firstParameter;
        this.indexed = indexed;
    }

    /** All of them as one, for a statement that is planned for its values. */
    String conjunction() {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::parenthesized).ifPresent(conditions::add);
        int parameter = firstParameter;
        for (ConditionShape condition : list.conditions()) {
            conditions.add(condition.sql(relation, parameter));
            parameter += condition.values();
        }
        return conditions.isEmpty() ? "true" : String.join(" AND ", conditions);
    }

    /**
     * The conditions of the scans that make up the list, each joined by AND: one scan, or one for each of several values of a
     * filter whose column leads an index.
     */
    List<List<String>> alternatives() {
        Optional<ConditionShape> split = indexed
                ? list.conditions().stream()
                        .filter(ConditionShape::isAnyOfSeveral)
                        .filter(condition -> !isOnLeadingKey(condition))
                        .findFirst()
                : Optional.empty();
        List<List<String>> alternatives = new ArrayList<>();
        for (int value = 0; value < split.map(ConditionShape::values).orElse(1); value++) {
            alternatives.add(alternative(split.orElse(null), value));
        }
        return alternatives;
    }

    /**
     * How many leading keys of the order the list's conditions leave one value. Several values of the first key end the
     * range at it too, and leave the index to go from value to value.
     */
    int fixedLeadingKeys() {
        int fixed = 0;
        for (OrderKey key : order.keys()) {
            if (!list.hasSingleValue(key.column())) {
                return fixed;
            }
            fixed++;
        }
        return fixed;
    }

    private boolean isOnLeadingKey(ConditionShape condition) {
        return condition.column().equals(order.keys().get(0).column());
    }

    private List<String> alternative(ConditionShape split, int value) {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::parenthesized).ifPresent(conditions::add);
        int parameter = firstParameter;
        for (ConditionShape condition : list.conditions()) {
            if (condition.equals(split)) {
                conditions.add(withBounds(condition.withOneValue(), parameter + value));
                // Values that are spelled differently may still be equal to the column's type.
                for (int earlier = 0; earlier < value; earlier++) {
                    conditions.add("NOT " + condition.withOneValue().sql(relation, parameter + earlier));
                }
            } else {
                boolean narrows = indexed && condition.isEquality() && !isOnLeadingKey(condition);
                conditions.add(narrows ? withBounds(condition, parameter) : condition.sql(relation, parameter));
            }
            parameter += condition.values();
        }
        return conditions;
    }

    /**
     * Under a generic plan PostgreSQL takes an unknown value for a common one, and reads along the plain order's index to
     * filter it: for a rare value, all of it. The bounds say nothing new, and the index's scan drops them; but a range
     * between unknown bounds is taken for a narrow one (0.5 %), so the plan is made with the index that begins with the
     * column, which is the right one for rare and common values alike.
     */
    private String withBounds(ConditionShape condition, int parameter) {
        String column = Sql.operand(relation, condition.column());
        String value = Sql.parameter(parameter, condition.column());
        return condition.sql(relation, parameter) + " AND " + column + " >= " + value + " AND " + column + " <= "
                + value;
    }
}
