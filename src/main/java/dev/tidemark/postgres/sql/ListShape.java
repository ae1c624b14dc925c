package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ListState;
import java.util.List;

/** The part of a list state that determines its SQL: its conditions without their values. */
public record ListShape(List<ConditionShape> conditions) {

    private static final ListShape UNFILTERED = new ListShape(List.of());

    public static ListShape of(ListState state) {
        if (state.conditions().isEmpty()) {
            return UNFILTERED;
        }
        return new ListShape(state.conditions().stream().map(ConditionShape::of).toList());
    }

    /** Whether all rows of the list have the same value, or NULL, in a column. */
    boolean hasSingleValue(Column column) {
        for (ConditionShape condition : conditions) {
            if (condition.isSingleValue() && condition.column().equals(column)) {
                return true;
            }
        }
        return false;
    }

    /** The number of parameters of all conditions. */
    int parameters() {
        int parameters = 0;
        for (ConditionShape condition : conditions) {
            parameters += condition.values();
        }
        return parameters;
    }

    public void bind(ListState state, List<String> parameters) {
        List<Condition> values = state.conditions();
        for (int i = 0; i < values.size(); i++) {
            conditions.get(i).bind(values.get(i), parameters);
        }
    }
}
