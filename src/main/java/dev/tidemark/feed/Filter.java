package dev.tidemark.feed;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a client may ask of a column. */
public record Filter(Column column, Set<Kind> kinds) {

    /** The kinds of filter a feed may declare, with the operators each one brings. */
    public enum Kind {
        /** {@code status=open}, repeated for any of several values. */
        EQUALS(Operator.EQ),
        /** {@code created_at.gte=…} and its three siblings. */
        RANGE(Operator.GTE, Operator.GT, Operator.LTE, Operator.LT),
        /** {@code subject.prefix=…} and {@code subject.contains=…}; on text columns only. */
        TEXT(Operator.PREFIX, Operator.CONTAINS);

        private final List<Operator> operators;

        Kind(Operator... operators) {
            this.operators = List.of(operators);
        }
    }

    /** The operators of a filter; all but {@link #EQ} stand behind the column's name and a dot. */
    public enum Operator {
        EQ,
        GTE,
        GT,
        LTE,
        LT,
        PREFIX,
        CONTAINS,
        IS;

        /** The operator's name on the wire. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Filter {
        kinds = Set.copyOf(kinds);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a filter is of at least one kind");
        }
    }

    /** All operators that its kinds allow, and {@link Operator#IS}, which every filter has. */
    public Set<Operator> operators() {
        Set<Operator> operators = EnumSet.of(Operator.IS);
        kinds.forEach(kind -> operators.addAll(kind.operators));
        return operators;
    }
}
