package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.value.EpochTime;
import dev.tidemark.feed.value.InvalidValueException;
import dev.tidemark.feed.value.ValueParser;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/** A query parameter that filters a list, such as {@code status} or {@code created_at.gte}. */
public record FilterParameter(Column column, Operator operator) {

    /**
     * The maximum number of values of an equality filter. It limits the size of the statement, which can have a
     * separate scan for each value.
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
            case GTE, GT, LTE, LT -> comparison(onlyValue(values));
            case PREFIX -> new Condition.Prefix(column, parse(onlyValue(values)));
            case CONTAINS -> new Condition.Contains(column, parse(onlyValue(values)));
            case IS -> new Condition.Nullness(column, parseNullness(onlyValue(values)));
        };
    }

    private Condition comparison(String value) {
        if (!(column.type() instanceof EpochType epoch)) {
            return new Condition.Comparison(column, operator, parse(value));
        }
        EpochTime time = parse(value, text -> EpochTime.parse(epoch, text));
        OptionalLong bound =
                switch (operator) {
                    case GTE -> time.atOrAfter();
                    case GT -> time.after();
                    case LTE -> time.atOrBefore();
                    case LT -> time.before();
                    case EQ, PREFIX, CONTAINS, IS ->
                        throw new IllegalArgumentException(operator + " is not a comparison");
                };
        Operator inclusive = operator == Operator.GTE || operator == Operator.GT ? Operator.GTE : Operator.LTE;
        return bound.isPresent()
                ? new Condition.Comparison(column, inclusive, Long.toString(bound.getAsLong()))
                : matchesNothing();
    }

    private Condition matchesNothing() {
        return new Condition.Comparison(column, Operator.LT, Long.toString(Long.MIN_VALUE));
    }

    private Condition anyOf(List<String> sent) {
        List<String> values = values(sent);
        return values.isEmpty() ? matchesNothing() : limited(new Condition.AnyOf(column, values));
    }

    /**
     * Returns the values of a filter in PostgreSQL's text format, in the sequence in which they were sent, without
     * times that no number of the column is equal to.
     *
     * @throws Problem {@code invalid_filter}
     */
    public List<String> values(List<String> sent) {
        if (!(column.type() instanceof EpochType epoch)) {
            return sent.stream().map(this::parse).toList();
        }
        return sent.stream()
                .map(value -> parse(value, text -> EpochTime.parse(epoch, text)).exact())
                .filter(OptionalLong::isPresent)
                .map(number -> Long.toString(number.getAsLong()))
                .toList();
    }

    private Condition limited(Condition.AnyOf condition) {
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
        return parse(value, text -> ValueParser.parse(column, text));
    }

    private <T> T parse(String value, Function<String, T> parser) {
        try {
            return parser.apply(value);
        } catch (InvalidValueException e) {
            throw invalid("is invalid: " + e.getMessage());
        }
    }

    private Problem invalid(String why) {
        return Problem.ofParameter(name(), ProblemCode.INVALID_FILTER, name() + ' ' + why);
    }
}
