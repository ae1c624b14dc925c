package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Filter.Operator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A condition as SQL, with parameters instead of its values. Lists whose conditions are equal in this form share
 * statements.
 *
 * @param operation how the column is compared with the parameters
 * @param parameterCount the number of parameters
 * @param membership the membership that the condition is about; empty for other conditions
 * @param otherColumns the columns after the first one, any of which may match; empty unless the condition is a search
 */
record ConditionSql(
        Column column,
        Operation operation,
        int parameterCount,
        Optional<Access.Membership> membership,
        List<Column> otherColumns) {

    private static final String UNKNOWN = "unknown kind of condition";

    enum Operation {
        /** Equality with the only parameter, or with one of several. */
        EQUAL,
        GTE,
        GT,
        LTE,
        LT,
        PREFIX,
        CONTAINS,
        /** Each parameter is contained in one of the columns. */
        SEARCH,
        NULL,
        NOT_NULL,
        /** Equality with one of the values of a membership. */
        MEMBER
    }

    private ConditionSql(Column column, Operation operation, int parameterCount) {
        this(column, operation, parameterCount, Optional.empty(), List.of());
    }

    static ConditionSql of(Condition condition) {
        Column column = condition.column();
        if (condition instanceof Condition.AnyOf anyOf) {
            return new ConditionSql(
                    column, Operation.EQUAL, roundUpToPowerOfTwo(anyOf.values().size()));
        } else if (condition instanceof Condition.InScope) {
            return new ConditionSql(column, Operation.EQUAL, 1);
        } else if (condition instanceof Condition.InMembership member) {
            return new ConditionSql(
                    column, Operation.MEMBER, member.values().size(), Optional.of(member.membership()), List.of());
        } else if (condition instanceof Condition.Comparison comparison) {
            return new ConditionSql(column, operation(comparison.operator()), 1);
        } else if (condition instanceof Condition.Prefix prefix) {
            return new ConditionSql(
                    column,
                    Operation.PREFIX,
                    TextPattern.upperBound(prefix.text()).isPresent() ? 2 : 1);
        } else if (condition instanceof Condition.Contains) {
            return new ConditionSql(column, Operation.CONTAINS, 1);
        } else if (condition instanceof Condition.Search search) {
            return new ConditionSql(
                    column,
                    Operation.SEARCH,
                    search.words().size(),
                    Optional.empty(),
                    search.columns().subList(1, search.columns().size()));
        } else if (condition instanceof Condition.Nullness nullness) {
            return new ConditionSql(column, nullness.isNull() ? Operation.NULL : Operation.NOT_NULL, 0);
        }
        throw new IllegalStateException(UNKNOWN);
    }

    private static Operation operation(Operator operator) {
        return switch (operator) {
            case GTE -> Operation.GTE;
            case GT -> Operation.GT;
            case LTE -> Operation.LTE;
            case LT -> Operation.LT;
            case EQ, PREFIX, CONTAINS, IS -> throw new IllegalArgumentException(operator + " is not a comparison");
        };
    }

    /**
     * Rounds up to a power of two, so that filters with three and with four values share statements. Each surplus
     * parameter is NULL, which equals nothing.
     */
    private static int roundUpToPowerOfTwo(int valueCount) {
        return valueCount == 1 ? 1 : Integer.highestOneBit(valueCount - 1) * 2;
    }

    /** Appends the parameters: the values of a condition of this form. */
    void bind(Condition condition, List<String> parameters) {
        int end = parameters.size() + parameterCount;
        if (condition instanceof Condition.AnyOf anyOf) {
            parameters.addAll(anyOf.values());
        } else if (condition instanceof Condition.InScope inScope) {
            parameters.add(inScope.value());
        } else if (condition instanceof Condition.InMembership member) {
            parameters.addAll(member.values());
        } else if (condition instanceof Condition.Comparison comparison) {
            parameters.add(comparison.value());
        } else if (condition instanceof Condition.Prefix prefix) {
            parameters.add(prefix.text());
            TextPattern.upperBound(prefix.text()).ifPresent(parameters::add);
        } else if (condition instanceof Condition.Contains contains) {
            parameters.add(TextPattern.likePattern(contains.text()));
        } else if (condition instanceof Condition.Search search) {
            search.words().forEach(word -> parameters.add(TextPattern.likePattern(word)));
        } else if (!(condition instanceof Condition.Nullness)) {
            throw new IllegalStateException(UNKNOWN);
        }
        while (parameters.size() < end) {
            parameters.add(null);
        }
    }

    /**
     * Whether the condition is on this column. Columns are compared by name, because the condition of a scope has the
     * type that a column of times as numbers has in the database.
     */
    boolean isOn(Column other) {
        return column.name().equals(other.name());
    }

    /**
     * Whether the rows that match the condition, or one of its values, are contiguous in an index that starts with the
     * column.
     */
    boolean isContiguousInIndex() {
        return switch (operation) {
            case EQUAL, GTE, GT, LTE, LT, NULL, NOT_NULL -> true;
            case PREFIX, CONTAINS, SEARCH, MEMBER -> false;
        };
    }

    /** As {@link Condition#isSearch}. */
    boolean isSearch() {
        return operation == Operation.CONTAINS || operation == Operation.SEARCH;
    }

    /** All columns of the condition. */
    Stream<Column> columns() {
        return Stream.concat(Stream.of(column), otherColumns.stream());
    }

    boolean isAnyOfSeveral() {
        return operation == Operation.EQUAL && parameterCount > 1;
    }

    boolean isEquality() {
        return operation == Operation.EQUAL && parameterCount == 1;
    }

    /** Whether all matching rows have the same value, or NULL, in the column. */
    boolean matchesSingleValue() {
        return isEquality() || operation == Operation.NULL;
    }

    ConditionSql withOneValue() {
        return new ConditionSql(column, operation, 1);
    }

    /** The condition that PostgreSQL needs beside this one, if any. */
    Optional<String> isNotNull(Comparisons comparisons) {
        return switch (operation) {
            case GTE, GT, LTE, LT, PREFIX -> comparisons.isNotNull(column);
            case EQUAL, CONTAINS, SEARCH, NULL, NOT_NULL, MEMBER -> Optional.empty();
        };
    }

    /** @param firstParameter the number of the condition's first parameter */
    String sql(Comparisons comparisons, int firstParameter) {
        String name = Sql.operand(comparisons.relation(), column);
        return switch (operation) {
            case EQUAL ->
                parameterCount == 1
                        ? comparisons.compare(column, "=", firstParameter)
                        : name + " IN (" + valueList(firstParameter, comparisons.values()) + ')';
            case GTE -> comparisons.compare(column, ">=", firstParameter);
            case GT -> comparisons.compare(column, ">", firstParameter);
            case LTE -> comparisons.compare(column, "<=", firstParameter);
            case LT -> comparisons.compare(column, "<", firstParameter);
            case PREFIX -> prefix(name, firstParameter, comparisons.values());
            case CONTAINS -> contains(column, firstParameter, comparisons);
            case SEARCH -> search(firstParameter, comparisons);
            case NULL -> name + " IS NULL";
            case NOT_NULL -> Sql.isNotNull(comparisons.relation(), column);
            case MEMBER -> membershipSql(firstParameter, comparisons.values()).join(comparisons.relation());
        };
    }

    private static String contains(Column column, int parameter, Comparisons comparisons) {
        return Sql.operand(comparisons.relation(), column) + "::text ILIKE "
                + comparisons.values().text(parameter);
    }

    private String search(int firstParameter, Comparisons comparisons) {
        return IntStream.range(firstParameter, firstParameter + parameterCount)
                .mapToObj(word -> columns()
                        .map(each -> contains(each, word, comparisons))
                        .collect(Collectors.joining(" OR ", "(", ")")))
                .collect(Collectors.joining(" AND "));
    }

    /** @param firstParameter the number of the condition's first parameter */
    MembershipSql membershipSql(int firstParameter, Values values) {
        return new MembershipSql(membership.orElseThrow(), firstParameter, values);
    }

    private String valueList(int first, Values values) {
        StringBuilder list = new StringBuilder(values.of(first, column));
        for (int i = 1; i < parameterCount; i++) {
            list.append(", ").append(values.of(first + i, column));
        }
        return list.toString();
    }

    /**
     * Compares in byte order, independent of the collation, so that an index with {@code text_pattern_ops} can be
     * used.
     */
    private String prefix(String name, int firstParameter, Values values) {
        String from = name + "::text ~>=~ " + values.text(firstParameter);
        return parameterCount == 1 ? from : from + " AND " + name + "::text ~<~ " + values.text(firstParameter + 1);
    }
}
