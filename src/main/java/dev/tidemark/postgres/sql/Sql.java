package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.SqlQuoting;
import java.util.List;
import java.util.stream.Collectors;

/** Builds fragments of statements. */
public final class Sql {

    /**
     * Up to this number of memberships of a caller, a page is merged from a scan for each; beyond, PostgreSQL joins
     * the tables.
     */
    public static final int MAX_MERGED_MEMBERSHIPS = 200;

    /**
     * The beginning of the names of subqueries that return columns of a feed's relation. Tables are unlikely to have
     * such names.
     */
    static final String SUBQUERY = "tidemark ";

    private Sql() {}

    public static String relation(Relation relation) {
        return relation(relation.schema(), relation.name());
    }

    /** @param schema unquoted, as {@code name} is */
    public static String relation(String schema, String name) {
        return SqlQuoting.quoteIdentifier(schema) + '.' + SqlQuoting.quoteIdentifier(name);
    }

    /**
     * A column qualified by its relation, so that it cannot be confused with an output column of the same name; for a
     * derived column, its expression in parentheses, unless the relation is a subquery, which returns it by its name.
     */
    public static String column(String relation, Column column) {
        if (column.isDerived() && !relation.startsWith(SUBQUERY)) {
            return inParentheses(column.expression().orElseThrow());
        }
        return SqlQuoting.quoteIdentifier(relation) + '.' + SqlQuoting.quoteIdentifier(column.name());
    }

    /**
     * A column as an operand of a comparison. A column of an enum type is cast to the enum, because the column's type
     * can be a domain over the enum, which the enum's operators do not accept.
     */
    static String operand(String relation, Column column) {
        String name = column(relation, column);
        return column.type() instanceof EnumType ? name + "::" + column.sqlType() : name;
    }

    /** A column in a SELECT list, under its name. */
    static String named(String relation, Column column) {
        return column(relation, column)
                + (column.isDerived() ? " AS " + SqlQuoting.quoteIdentifier(column.name()) : "");
    }

    static String isNotNull(String relation, Column column) {
        return column(relation, column) + " IS NOT NULL";
    }

    /** Joins conditions by AND, each once. */
    static String conjunction(List<String> conditions) {
        return conditions.stream().distinct().collect(Collectors.joining(" AND "));
    }

    public static String orderBy(String relation, List<OrderKey> keys) {
        return " ORDER BY " + sortKeys(relation, keys);
    }

    static String sortKeys(String relation, List<OrderKey> keys) {
        return keys.stream()
                .map(key -> column(relation, key.column()) + sortDirection(key))
                .collect(Collectors.joining(", "));
    }

    /** Returns DESC, and NULLS FIRST or NULLS LAST, each only if it differs from PostgreSQL's default. */
    public static String sortDirection(OrderKey key) {
        String direction = key.descending() ? " DESC" : "";
        if (key.nullsFirst() == key.descending()) {
            return direction;
        }
        return direction + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
    }

    /**
     * Puts a condition from the configuration in parentheses. The line break after the condition ends a comment in the
     * condition's last line.
     */
    public static String inParentheses(String condition) {
        return "(\n" + condition + "\n)";
    }
}
