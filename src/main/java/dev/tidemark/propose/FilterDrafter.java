package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.naming.ColumnNames;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses the filters of a feed, and the columns whose text could be searched. */
final class FilterDrafter {

    /** The highest number of distinct values that counts as few. A column with few values gets an equality filter. */
    private static final int MAX_VALUES = 50;

    /**
     * A column with few values must also have at least this many rows per value on average, because every column of a
     * small table has few values.
     */
    private static final int MIN_ROWS_PER_VALUE = 10;

    private static final Set<Scalar> RANGE_TYPES = EnumSet.of(
            Scalar.TIMESTAMPTZ,
            Scalar.TIMESTAMP,
            Scalar.DATE,
            Scalar.TIME,
            Scalar.SMALLINT,
            Scalar.INTEGER,
            Scalar.BIGINT,
            Scalar.NUMERIC,
            Scalar.REAL,
            Scalar.DOUBLE);

    private final UsableColumns columns;

    FilterDrafter(UsableColumns columns) {
        this.columns = columns;
    }

    /** Returns the kinds of filters by column, in the order of the table. */
    Map<String, Set<Filter.Kind>> filters() {
        Map<String, Set<Filter.Kind>> filters = new LinkedHashMap<>();
        for (TableColumn column : columns.all()) {
            Set<Filter.Kind> kinds = kinds(column);
            if (!kinds.isEmpty() && canBeParameter(column) && !isUseless(column, kinds)) {
                filters.put(column.column().name(), kinds);
            }
        }
        return filters;
    }

    /** Whether the filter would select all rows or one, or no index can have its column. */
    private boolean isUseless(TableColumn column, Set<Filter.Kind> kinds) {
        if (!columns.facts(column).indexable()) {
            return true;
        }
        if (columns.hasOneValue(column)) {
            boolean isEmpty = columns.facts(column).nullFraction().orElse(0) >= 1;
            // The only time in a table is often that at which all rows were loaded.
            return isEmpty || !UsableColumns.isTime(column);
        }
        return kinds.contains(Filter.Kind.EQUALS) && columns.isUnique(column);
    }

    private static boolean canBeParameter(TableColumn column) {
        String name = column.column().name();
        return !ParameterNames.RESERVED.contains(name) && !name.contains(".");
    }

    private Set<Filter.Kind> kinds(TableColumn column) {
        String name = column.column().name();
        boolean isTime = UsableColumns.isTime(column);
        Set<Filter.Kind> kinds = EnumSet.noneOf(Filter.Kind.class);
        if (columns.isWholeKey(column) && !isTime || !UsableColumns.isSortable(column)) {
            return kinds;
        }
        boolean refers = columns.facts(column).inForeignKey() || ColumnNames.suggestsIdentifier(name);
        // A generated column can be one of several in the key, for example the id in a partitioned table whose key
        // also contains the partition column.
        boolean isGeneratedKey =
                columns.key().contains(name) && columns.facts(column).generated();
        if (hasFewValues(column) || refers && !isGeneratedKey || columns.isDistributionColumn(column)) {
            kinds.add(Filter.Kind.EQUALS);
        }
        if ((isTime || column.column().type() instanceof Scalar type && RANGE_TYPES.contains(type))
                && !refers
                && (isTime || !columns.key().contains(name))) {
            kinds.add(Filter.Kind.RANGE);
        }
        return kinds;
    }

    private boolean hasFewValues(TableColumn column) {
        ColumnType type = column.column().type();
        if (type == Scalar.BOOLEAN || type instanceof EnumType) {
            return true;
        }
        boolean isFloatingPoint = type == Scalar.REAL || type == Scalar.DOUBLE;
        return !UsableColumns.isTime(column)
                && !isFloatingPoint
                && columns.facts(column).distinctValues().orElse(Double.MAX_VALUE)
                        <= Math.min(MAX_VALUES, columns.relation().rows() / MIN_ROWS_PER_VALUE);
    }

    List<String> searchableColumns() {
        return columns.all().stream()
                .filter(column -> column.column().type() == Scalar.TEXT
                        && column.deterministic()
                        && !columns.isWholeKey(column)
                        && !columns.facts(column).inForeignKey()
                        && !ColumnNames.suggestsIdentifier(column.column().name())
                        && !hasFewValues(column)
                        && canBeParameter(column))
                .map(column -> column.column().name())
                .toList();
    }
}
