package dev.tidemark.feed;

/**
 * A column of a feed's relation.
 *
 * @param name as the catalogue has it, unquoted
 * @param type what Tidemark understands of its type
 * @param sqlType the type's own name as SQL takes it, schema-qualified where needed and without a modifier; of a
 *     domain, the type under it. Values are bound in exactly this type
 * @param nullable whether a NULL can stand in it
 */
public record Column(String name, ColumnType type, String sqlType, boolean nullable) {}
