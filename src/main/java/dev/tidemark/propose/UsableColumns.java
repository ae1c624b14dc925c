package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed.Relation.Shards;
import dev.tidemark.propose.RelationFacts.ColumnFacts;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a relation that can be part of a feed.
 *
 * @param key the columns that identify a row; empty if there are none
 */
record UsableColumns(RelationFacts relation, List<String> key, List<TableColumn> all) {

    private static final Set<Scalar> TIME_TYPES = EnumSet.of(Scalar.TIMESTAMPTZ, Scalar.TIMESTAMP, Scalar.DATE);

    /** In a table with fewer rows, statistics say little about the values that will come. */
    private static final int MIN_ROWS = 100;

    static boolean isTime(TableColumn column) {
        return column.column().type() instanceof EpochType
                || TIME_TYPES.contains(column.column().type());
    }

    static boolean isSortable(TableColumn column) {
        return column.column().type().isComparable() && column.deterministic();
    }

    /** Whether the column alone is the key. */
    boolean isWholeKey(TableColumn column) {
        return key.equals(List.of(column.column().name()));
    }

    /** Whether the column's value determines in which shard of a Citus table a row is stored. */
    boolean isDistributionColumn(TableColumn column) {
        return relation.table()
                .storage()
                .shards()
                .flatMap(Shards::column)
                .filter(column.column().name()::equals)
                .isPresent();
    }

    /**
     * Returns whether no two rows differ in the column, according to the statistics. False if there are no statistics,
     * and if the table has so few rows that they can be equal by chance.
     */
    boolean hasOneValue(TableColumn column) {
        return relation.rows() >= MIN_ROWS
                && (facts(column).nullFraction().orElse(0) >= 1
                        || facts(column).nullFraction().orElse(1) <= 0
                                && facts(column).distinctValues().orElse(0) == 1);
    }

    /** Returns whether the column identifies a row, by a unique index or, if it is no reference, by the statistics. */
    boolean isUnique(TableColumn column) {
        return relation.table().uniqueKeys().containsKey(Set.of(column.column().name()))
                || !facts(column).inForeignKey()
                        && relation.rows() >= MIN_ROWS
                        && facts(column).distinctValues().orElse(0) >= relation.rows();
    }

    ColumnFacts facts(TableColumn column) {
        return relation.column(column.column().name());
    }

    UsableColumns without(TableColumn column) {
        return new UsableColumns(
                relation,
                key,
                all.stream().filter(other -> !other.equals(column)).toList());
    }
}
