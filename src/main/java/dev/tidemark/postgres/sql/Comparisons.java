package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed.Relation.Storage;
import java.util.Optional;

/**
 * Builds the comparisons of a relation's columns with parameters.
 *
 * <p>A foreign server can evaluate {@code id < 7}, but not {@code created_at <= $1::text::timestamptz}, because the
 * result of the cast depends on settings. The foreign server can evaluate the comparison if PostgreSQL computes the
 * value first, in a subquery: {@code created_at <= (SELECT $1::text::timestamptz)}. A partitioned table with foreign
 * partitions needs both comparisons: only the one without a subquery excludes partitions before PostgreSQL connects to
 * their servers.
 */
final class Comparisons {

    private final String relation;
    private final Storage storage;
    private final Values values;

    Comparisons(String relation, Storage storage, Values values) {
        this.relation = relation;
        this.storage = storage;
        this.values = values;
    }

    /**
     * Returns the condition that PostgreSQL needs beside comparisons of this column other than equality; none if the
     * column has no NULLs. Without it, PostgreSQL 17.9 could return rows with NULL for {@code a IN (1, 2) AND b >= 5},
     * with an index on {@code (a, b DESC)}. A statement has it once for each column, because PostgreSQL lowers its
     * estimate for each copy, and could then scan the index of the order alone for a filter with a rare value.
     */
    Optional<String> isNotNull(Column column) {
        return column.nullable() ? Optional.of(Sql.isNotNull(relation, column)) : Optional.empty();
    }

    /** Returns the comparison of a column with a parameter, by an operator such as {@code <=}. */
    String compare(Column column, String operator, int parameterNumber) {
        String operand = Sql.operand(relation, column) + ' ' + operator + ' ';
        String value = values.of(parameterNumber, column);
        if (!storage.foreign() || ColumnTypes.isConvertedByPlanner(column.type())) {
            return operand + value;
        }
        String remote = operand + "(SELECT " + value + ')';
        return storage.partitioned() ? operand + value + " AND " + remote : remote;
    }

    String relation() {
        return relation;
    }

    Values values() {
        return values;
    }

    /**
     * Whether a row comparison needs a separate bound on its first column, because PostgreSQL neither prunes
     * partitions by row comparisons nor sends such comparisons to foreign servers.
     */
    boolean rowComparisonsNeedBounds() {
        return storage.partitioned() || storage.foreign();
    }
}
