package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.OrderKey;
import java.util.List;
import java.util.stream.Collectors;

/** The spelling of small pieces of SQL. */
public final class Sql {

    private Sql() {}

    public static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    public static String relation(Relation relation) {
        return quoted(relation.schema()) + '.' + quoted(relation.name());
    }

    /** A column with its relation, so that no output column of the same name can be meant. */
    public static String column(String relation, Column column) {
        return quoted(relation) + '.' + quoted(column.name());
    }

    /** A column where it is compared: an enum's operators do not know a domain over the enum. */
    static String operand(String relation, Column column) {
        String name = column(relation, column);
        return column.type() instanceof Enumerated ? name + "::" + column.sqlType() : name;
    }

    /** The parameter {@code $number}: sent as text, so that nothing is lost, and compared in the column's own type. */
    static String parameter(int number, Column column) {
        return '$' + Integer.toString(number) + "::text"
                + (column.sqlType().equals("text") ? "" : "::" + column.sqlType());
    }

    public static String orderBy(String relation, List<OrderKey> keys) {
        return " ORDER BY "
                + keys.stream()
                        .map(key -> column(relation, key.column()) + placement(key))
                        .collect(Collectors.joining(", "));
    }

    /** Direction and place of NULLs, where they are not what PostgreSQL does by itself. */
    public static String placement(OrderKey key) {
        String direction = key.descending() ? " DESC" : "";
        if (key.nullsFirst() == key.descending()) {
            return direction;
        }
        return direction + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
    }

    /** The operator's condition must stand alone, whatever is in it. A line break ends a comment in it. */
    public static String parenthesized(String condition) {
        return "(\n" + condition + "\n)";
    }
}
