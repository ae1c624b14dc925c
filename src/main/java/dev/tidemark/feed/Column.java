package dev.tidemark.feed;

import java.util.Map;
import java.util.Optional;

/**
 * A column of a feed's relation, or one that is derived from such columns.
 *
 * @param name unquoted, as in the catalogue or, if the column is derived, as declared
 * @param type determines how Tidemark parses and writes values, and whether the column can be a sort key or a filter
 * @param sqlType the SQL name of the type, schema-qualified if necessary and without modifiers; for a domain, its base
 *     type; for an {@link ColumnType.EpochType}, always {@code bigint}, which indexes on smaller integers can find.
 *     Parameters are cast to exactly this type
 * @param nullable whether the column can contain NULL
 * @param expression the SQL expression of a derived column over columns of its row; empty for a column of the relation
 */
public record Column(String name, ColumnType type, String sqlType, boolean nullable, Optional<String> expression) {

    private static final String ARRAY = "[]";

    /**
     * SQL types whose values have the same JSON form, the same order, and the same text in positions, by their
     * representative. Positions of a column stay valid if its type changes to another one of the same representative.
     */
    private static final Map<String, String> REPRESENTATIVES =
            Map.of("character varying", "text", "smallint", "integer");

    /** SQL types whose values have the same JSON form and the same order, by their representative. */
    private static final Map<String, String> SAME_FORM =
            Map.of("real", "double precision", "numeric", "bigint", "json", "jsonb");

    /** A column of the relation itself. */
    public Column(String name, ColumnType type, String sqlType, boolean nullable) {
        this(name, type, sqlType, nullable, Optional.empty());
    }

    public boolean isDerived() {
        return expression.isPresent();
    }

    /** Returns the column as one of this type. */
    public Column withType(ColumnType newType, String newSqlType) {
        return new Column(name, newType, newSqlType, nullable, expression);
    }

    public Column asNotNull() {
        return new Column(name, type, sqlType, false, expression);
    }

    /**
     * What a list depends on, if its conditions or its order test the column: its name and, if it is derived, its
     * expression.
     */
    String definition() {
        return expression.map(sql -> name + " = " + sql).orElse(name);
    }

    /** The SQL name of the type that clients see. */
    public String clientType() {
        return type instanceof ColumnType.EpochType ? "timestamp with time zone" : sqlType;
    }

    /** The type as cursors depend on it. */
    String positionType() {
        return REPRESENTATIVES.getOrDefault(sqlType, sqlType);
    }

    /** Whether the values of both types have the same JSON form and the same order. */
    public boolean hasFormOf(Column other) {
        return form(sqlType).equals(form(other.sqlType));
    }

    private static String form(String sqlType) {
        String element = sqlType.endsWith(ARRAY) ? sqlType.substring(0, sqlType.length() - ARRAY.length()) : sqlType;
        String suffix = sqlType.substring(element.length());
        String representative = REPRESENTATIVES.getOrDefault(element, element);
        return SAME_FORM.getOrDefault(representative, representative) + suffix;
    }
}
