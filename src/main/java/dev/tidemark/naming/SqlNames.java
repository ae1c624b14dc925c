package dev.tidemark.naming;

/** Writes names as SQL reads them. */
public final class SqlNames {

    private SqlNames() {}

    /** The identifier in quotes, so that it is taken as it is written. */
    public static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** The text as a literal. */
    public static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
