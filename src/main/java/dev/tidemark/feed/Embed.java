package dev.tidemark.feed;

import java.util.List;
import java.util.Optional;

/**
 * One row of another table beside each item, as a member of the item.
 *
 * @param name the name of the member
 * @param schema the schema of the other table, unquoted
 * @param table the name of the other table, unquoted
 * @param on the columns that find the row: a primary key or unique key of the other table, none of its columns
 *     nullable
 * @param columns the members of the embedded object, in output order
 * @param hasRowSecurity whether a policy of the other table can hide its rows, and show them again without writing
 *     them
 */
public record Embed(
        String name, String schema, String table, List<Match> on, List<Column> columns, boolean hasRowSecurity) {

    /**
     * Two columns with equal values.
     *
     * @param column the column of the other table
     * @param own the column of the feed's own table
     * @param collation the SQL name of the collation in which the other table's key is unique; empty if both columns
     *     have it
     */
    public record Match(Column column, Column own, Optional<String> collation) {}

    public Embed {
        on = List.copyOf(on);
        columns = List.copyOf(columns);
    }

    /** The number of values in a row: one that says whether the embedded row exists, and those of its columns. */
    public int valueCount() {
        return 1 + columns.size();
    }
}
