package dev.tidemark.propose;

import dev.tidemark.declare.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A table or view, with facts that help to choose its key, orders, and filters.
 *
 * @param readable whether the current role may read any of its columns
 * @param populated false only for a materialized view without data, which no role can read before it is refreshed
 * @param rows the estimated number of rows; negative if unknown
 * @param small whether it has, or each table under a view has, so few rows that its lists need no index
 * @param columns by name
 * @param triggers the enabled triggers that run before an update of a row
 * @param viewKeys the possible keys of a view, each from a unique key of an underlying table; those that certainly
 *     identify the rows of the view come first
 * @param missingTrigger the SQL that creates the trigger that notifies Tidemark of changes; empty if the trigger
 *     exists or is not possible
 * @param references the foreign keys by which rows of other tables can be embedded
 * @param viewTables the tables that a view reads, also through other views
 * @param numbers the whole numbers in columns whose names suggest times, by column
 */
public record RelationFacts(
        Table table,
        boolean readable,
        boolean populated,
        double rows,
        boolean small,
        Map<String, ColumnFacts> columns,
        List<UpdateTrigger> triggers,
        List<ViewKey> viewKeys,
        Optional<NotifySql> missingTrigger,
        List<Reference> references,
        List<ViewTable> viewTables,
        Map<String, NumberFacts> numbers) {

    /**
     * A table with fewer rows than this is small. PostgreSQL sorts this number of rows in less than a millisecond.
     */
    public static final int SMALL_TABLE_ROWS = 1000;

    /**
     * A foreign key that refers to the primary key of a table, or a column that implies the same by its name.
     *
     * @param schema the schema of that table, unquoted
     * @param table the name of that table, unquoted
     * @param sqlName schema-qualified, with quotes if SQL requires them
     * @param on the columns of the relation, by those of that table
     * @param textColumns the text columns of that table that the current role may read
     * @param missingTrigger as in {@link RelationFacts}, for that table
     * @param isGuaranteed whether a foreign key guarantees that the row exists
     */
    public record Reference(
            String schema,
            String table,
            String sqlName,
            Map<String, String> on,
            List<String> textColumns,
            Optional<NotifySql> missingTrigger,
            boolean isGuaranteed) {

        boolean isTo(Table other) {
            return other.schema().equals(schema) && other.name().equals(table);
        }
    }

    /**
     * A table that a view reads.
     *
     * @param sqlSchema with quotes if SQL requires them
     * @param sqlName schema-qualified, with quotes if SQL requires them
     * @param missingTrigger as in {@link RelationFacts}, for that table
     */
    public record ViewTable(String sqlSchema, String sqlName, Optional<NotifySql> missingTrigger) {}

    /**
     * @param isCertain whether the view has at most one row for each row of the underlying table, so that the columns
     *     identify the view's rows too
     */
    public record ViewKey(List<String> columns, boolean isCertain) {}

    /**
     * The SQL of the trigger that notifies Tidemark.
     *
     * @param function the statement that creates the trigger function, which all tables of a schema share
     * @param trigger the statement that creates the trigger
     */
    public record NotifySql(String function, String trigger) {}

    /**
     * @param readable whether the current role may read the column
     * @param readableByRole whether the role that will read the feeds exists and may already read the column
     * @param generated whether the default is an identity or the next value of a sequence
     * @param defaultsToNow whether the default is the current time
     * @param inForeignKey whether the column is part of a foreign key
     * @param referencedTable the table that a foreign key with only this column refers to; empty if there is none
     * @param indexed whether an index starts with the column
     * @param notNullInView whether the column of a view comes from a NOT NULL column of the one table under the view
     * @param distinctValues the number of distinct values that the statistics estimate, if there are statistics
     * @param nullFraction the fraction of rows without a value, if there are statistics
     * @param indexable whether an index can have the column, whatever values it gets
     */
    public record ColumnFacts(
            boolean readable,
            boolean readableByRole,
            boolean generated,
            boolean defaultsToNow,
            boolean inForeignKey,
            Optional<String> referencedTable,
            boolean indexed,
            boolean notNullInView,
            OptionalDouble distinctValues,
            OptionalDouble nullFraction,
            boolean indexable) {

        ColumnFacts withReferencedTable(String table) {
            return new ColumnFacts(
                    readable,
                    readableByRole,
                    generated,
                    defaultsToNow,
                    true,
                    Optional.of(table),
                    indexed,
                    notNullInView,
                    distinctValues,
                    nullFraction,
                    indexable);
        }
    }

    /**
     * The whole numbers of a column in some rows.
     *
     * @param min the least one apart from 0; empty if there is none
     * @param max the greatest one apart from 0; empty if there is none
     */
    public record NumberFacts(OptionalLong min, OptionalLong max, boolean hasZero, boolean hasNull) {}

    RelationFacts withNumbers(Table newTable, Map<String, NumberFacts> newNumbers) {
        return new RelationFacts(
                newTable,
                readable,
                populated,
                rows,
                small,
                columns,
                triggers,
                viewKeys,
                missingTrigger,
                references,
                viewTables,
                newNumbers);
    }

    ColumnFacts column(String name) {
        return Objects.requireNonNull(columns.get(name));
    }

    /** Returns the facts with further references, each by one column. */
    RelationFacts withReferences(List<Reference> further) {
        Map<String, ColumnFacts> updated = new LinkedHashMap<>(columns);
        further.forEach(reference -> reference
                .on()
                .values()
                .forEach(column -> updated.put(column, column(column).withReferencedTable(reference.table()))));
        return new RelationFacts(
                table,
                readable,
                populated,
                rows,
                small,
                updated,
                triggers,
                viewKeys,
                missingTrigger,
                Stream.concat(references.stream(), further.stream()).toList(),
                viewTables,
                numbers);
    }
}
