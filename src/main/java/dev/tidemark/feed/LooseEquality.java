package dev.tidemark.feed;

import java.util.Set;

/**
 * The SQL types whose equality is looser than equality of text. Collations are not considered: the catalogue reports
 * whether a collation is deterministic.
 */
public final class LooseEquality {

    /** {@code char(n)} ignores trailing blanks. */
    private static final String CHAR = "bpchar";

    /** Types in which equal values can have different texts: 1.0 and 1.00, 'a' and 'a ', 'a' and 'A', 0 and -0. */
    private static final Set<String> SEVERAL_TEXTS = Set.of("numeric", CHAR, "citext", "real", "double precision");

    /**
     * {@code citext} ignores case, {@code name} truncates its input and floating-point types round it. {@code numeric} is
     * missing because {@code ValueParser} normalizes it.
     */
    private static final Set<String> SEVERAL_INPUTS = Set.of("citext", "name", "real", "double precision");

    private LooseEquality() {}

    /** Whether values that are equal to PostgreSQL can have different texts. */
    public static boolean equalValuesCanDifferInText(Column column) {
        return SEVERAL_TEXTS.contains(column.sqlType());
    }

    /** Whether one stored value can equal two inputs that {@code ValueParser} returns as different texts. */
    public static boolean differentInputsCanBeEqual(Column column) {
        return SEVERAL_INPUTS.contains(column.sqlType());
    }

    public static boolean ignoresTrailingBlanks(Column column) {
        return column.sqlType().equals(CHAR);
    }
}
