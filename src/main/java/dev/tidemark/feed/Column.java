package dev.tidemark.feed;

/**
 * A column of a feed's relation.
 *
 * @param name unquoted, as in the catalogue
 * @param type determines how Tidemark parses and writes values, and whether the column can be a sort key or a filter
 * @param sqlType the SQL name of the type, schema-qualified if necessary and without modifiers; for a domain, its base
 *     type. Parameters are cast to exactly this type
 * @param nullable whether the column can contain NULL
 */
public record Column(String name, ColumnType type, String sqlType, boolean nullable) {}
