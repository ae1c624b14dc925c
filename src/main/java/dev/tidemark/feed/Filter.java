package dev.tidemark.feed;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A column that clients can filter by, with the allowed kinds of filter. */
public record Filter(Column column, Set<Kind> kinds) {

    /** The kinds of filter that a feed can declare, with their operators. */
    public enum Kind {
        /** {@code status=open}; repeat the parameter to match any of several values. */
        EQUALS(Operator.EQ),
        /** {@code created_at.gte=…}, and likewise {@code gt}, {@code lte} and {@code lt}. */
        RANGE(Operator.GTE, Operator.GT, Operator.LTE, Operator.LT),
        /** {@code subject.prefix=…} and {@code subject.contains=…}. For text columns only. */
        TEXT(Operator.PREFIX, Operator.CONTAINS);

        private final List<Operator> operators;

        Kind(Operator... operators) {
            this.operators = List.of(operators);
        }
    }

    /** The operators of a filter. All except {@link #EQ} follow the column name and a dot in the parameter name. */
    public enum Operator {
        EQ,
        GTE,
        GT,
        LTE,
        LT,
        PREFIX,
        CONTAINS,
        IS;

        /** The name of the operator in a query string. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Filter {
        kinds = Set.copyOf(kinds);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a filter needs at least one kind");
        }
    }

    /** The operators of the allowed kinds, and {@link Operator#IS}, which every filter allows. */
    public Set<Operator> operators() {
        Set<Operator> operators = EnumSet.of(Operator.IS);
        kinds.forEach(kind -> operators.addAll(kind.operators));
        return operators;
    }
}
