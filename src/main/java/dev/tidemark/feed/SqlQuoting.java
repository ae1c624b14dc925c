package dev.tidemark.feed;

/** Quotes identifiers and literals for SQL. */
public final class SqlQuoting {

    private SqlQuoting() {}

    /**
     * Returns the identifier in double quotes, so that PostgreSQL preserves its case and does not read it as a
     * keyword.
     */
    public static String quoteIdentifier(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** Returns the text as a string literal, in single quotes. */
    public static String quoteLiteral(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
