package dev.tidemark.feed;

import java.util.Set;

/**
 * The SQL types in which values with different texts can be equal. Collations are not considered: the catalogue
 * reports whether a collation is deterministic.
 */
public final class LooseEquality {

    /** The type {@code char(n)}, whose comparisons ignore trailing blanks. */
    private static final String CHAR = "bpchar";

    /**
     * Types whose values can be equal although their texts differ, such as 1.0 and 1.00, 'a' and 'a ', 'a' and 'A', 0
     * and -0.
     */
    private static final Set<String> TYPES_WITH_SEVERAL_TEXTS =
            Set.of("numeric", CHAR, "citext", "real", "double precision");

    /**
     * Types in which two claims with different texts can equal one stored value: {@code citext} ignores case,
     * {@code name} truncates its input, and floating-point types round theirs. {@code numeric} is not included,
     * because {@code ValueParser} normalizes its inputs; nor is {@code char(n)}, because claims that end with a blank
     * are rejected.
     */
    private static final Set<String> TYPES_WITH_SEVERAL_CLAIMS = Set.of("citext", "name", "real", "double precision");

    private LooseEquality() {}

    /** Whether PostgreSQL considers some values of the column equal although their texts differ. */
    public static boolean equalValuesCanDifferInText(Column column) {
        return TYPES_WITH_SEVERAL_TEXTS.contains(column.sqlType());
    }

    /** Whether one stored value can equal two claims that {@code ValueParser} returns as different texts. */
    public static boolean differentClaimsCanBeEqual(Column column) {
        return TYPES_WITH_SEVERAL_CLAIMS.contains(column.sqlType());
    }

    public static boolean ignoresTrailingBlanks(Column column) {
        return column.sqlType().equals(CHAR);
    }
}
