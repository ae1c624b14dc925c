package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed.Relation.Storage;

/**
 * Compares columns of a relation with parameters.
 *
 * <p>A foreign server can evaluate {@code id < 7}, but not {@code made <= $1::text::timestamptz}, because the result of
 * the cast depends on settings. PostgreSQL sends it the value if a subquery computes it first: {@code made <= (SELECT
 * $1::text::timestamptz)}. A partitioned table with foreign partitions needs both, because PostgreSQL connects to the
 * servers of all partitions that the plain comparison does not exclude.
 */
final class Comparisons {

    private final String relation;
    private final Storage storage;

    Comparisons(String relation, Storage storage) {
        this.relation = relation;
        this.storage = storage;
    }

    /** Returns the comparison of a column with a parameter, by an operator such as {@code <=}. */
    String compare(Column column, String operator, int parameter) {
        String operand = Sql.operand(relation, column) + ' ' + operator + ' ';
        String value = Sql.parameter(parameter, column);
        if (!storage.foreign() || ColumnTypes.isComputedByPlanner(column.type())) {
            return operand + value;
        }
        String shipped = operand + "(SELECT " + value + ')';
        return storage.partitioned() ? operand + value + " AND " + shipped : shipped;
    }

    String relation() {
        return relation;
    }

    /**
     * Whether a row comparison needs a separate bound on its first column: PostgreSQL does not prune partitions by a row
     * comparison, and does not send it to foreign servers.
     */
    boolean needBounds() {
        return storage.partitioned() || storage.foreign();
    }
}
