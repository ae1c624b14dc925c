package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ListState;
import java.util.List;

/** The conditions of a list state without their values. */
public record ListShape(List<ConditionShape> conditions) {

    /** Of all that has none. */
    private static final ListShape WHOLE = new ListShape(List.of());

    public static ListShape of(ListState state) {
        if (state.conditions().isEmpty()) {
            return WHOLE;
        }
        return new ListShape(state.conditions().stream().map(ConditionShape::of).toList());
    }

    /** Whether the rows of the list have the same value in a column, or all NULL. */
    boolean hasSingleValue(Column column) {
        for (ConditionShape condition : conditions) {
            if (condition.isSingleValue() && condition.column().equals(column)) {
                return true;
            }
        }
        return false;
    }

    /** How many parameters they take. */
    int parameters() {
        int parameters = 0;
        for (ConditionShape condition : conditions) {
            parameters += condition.values();
        }
        return parameters;
    }

    public void bind(ListState state, List<String> parameters) {
        List<Condition> asked = state.conditions();
        for (int i = 0; i < asked.size(); i++) {
            conditions.get(i).bind(asked.get(i), parameters);
        }
    }
}
