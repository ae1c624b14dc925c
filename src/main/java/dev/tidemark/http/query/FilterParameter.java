package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.value.InvalidValueException;
import dev.tidemark.feed.value.ValueParser;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import java.util.List;

/** A query parameter that filters a list, such as {@code status} or {@code created_at.gte}. */
public record FilterParameter(Column column, Operator operator) {

    /**
     * The maximum number of values of an equality filter. It limits the size of the statement, which can have a separate
     * scan for each value.
     */
    public static final int MAX_VALUES = 50;

    public String name() {
        return operator == Operator.EQ ? column.name() : column.name() + '.' + operator.wireName();
    }

    /**
     * @throws Problem {@code invalid_filter}, or {@code conflicting_parameters} if an operator other than equality has
     *     several values
     */
    Condition condition(List<String> values) {
        return switch (operator) {
            case EQ -> anyOf(values);
            case GTE, GT, LTE, LT -> new Condition.Comparison(column, operator, parse(onlyValue(values)));
            case PREFIX -> new Condition.Prefix(column, parse(onlyValue(values)));
            case CONTAINS -> new Condition.Contains(column, parse(onlyValue(values)));
            case IS -> new Condition.Nullness(column, parseNullness(onlyValue(values)));
        };
    }

    private Condition anyOf(List<String> values) {
        Condition.AnyOf condition =
                new Condition.AnyOf(column, values.stream().map(this::parse).toList());
        if (condition.values().size() > MAX_VALUES) {
            throw invalid("takes at most " + MAX_VALUES + " different values");
        }
        return condition;
    }

    private String onlyValue(List<String> values) {
        return QueryString.onlyValue(name(), values);
    }

    private boolean parseNullness(String value) {
        return switch (value) {
            case "null" -> true;
            case "notnull" -> false;
            default -> throw invalid("must be \"null\" or \"notnull\"");
        };
    }

    private String parse(String value) {
        try {
            return ValueParser.parse(column, value);
        } catch (InvalidValueException e) {
            throw invalid("is invalid: " + e.getMessage());
        }
    }

    private Problem invalid(String why) {
        return Problem.ofParameter(name(), ProblemCode.INVALID_FILTER, name() + ' ' + why);
    }
}
