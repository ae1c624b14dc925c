package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;

/** Where a statement has the values of its conditions and gaps. They are numbered from 1. */
enum Values {
    /** In its parameters: the statement reads one list. */
    PARAMETERS {
        @Override
        String text(int number) {
            return '$' + Integer.toString(number) + "::text";
        }
    },
    /**
     * In a relation with one row for each of several lists or positions, which all have the same shape. The parameters
     * of the statement are the columns of this relation, as arrays.
     */
    ROWS {
        @Override
        String text(int number) {
            return RELATION + '.' + column(number);
        }
    };

    /** Columns and tables are unlikely to have this name; the statement would be ambiguous otherwise. */
    private static final String RELATION = "\"tidemark values\"";

    private static String column(int number) {
        return "\"tidemark value " + number + '"';
    }

    /** The value with this number, as text. */
    abstract String text(int number);

    /**
     * The value with this number. Each value is sent as text, which preserves every digit, and is cast to the column's
     * type.
     */
    final String of(int number, Column column) {
        return text(number) + (column.sqlType().equals("text") ? "" : "::" + column.sqlType());
    }

    /** The relation of {@link #ROWS}, in the order of the arrays, as an item of a FROM clause. */
    static String rows(int count) {
        StringBuilder arrays = new StringBuilder("unnest(");
        StringBuilder columns =
                new StringBuilder(") WITH ORDINALITY AS ").append(RELATION).append('(');
        for (int number = 1; number <= count; number++) {
            arrays.append(number == 1 ? "" : ", ")
                    .append(PARAMETERS.text(number))
                    .append("::text[]");
            columns.append(column(number)).append(", ");
        }
        return arrays.toString() + columns + "\"tidemark row\")";
    }

    /** The number of the row in the relation of {@link #ROWS}. */
    static String rowNumber() {
        return RELATION + ".\"tidemark row\"";
    }
}
