package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.naming.ColumnNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the columns that identify the tenant of a row: by their names, by the tables that they refer to, and by how
 * many tables have them. The distribution column of a Citus table also counts.
 *
 * @param commonNames the names of columns that most tables have, and that identify something other than the row
 */
record TenantColumnFinder(Set<String> commonNames) {

    /**
     * A column must be in at least this many tables to count as common. If there are few tables, a column can be in
     * most of them by chance.
     */
    private static final int MIN_TABLES = 3;

    static TenantColumnFinder of(List<RelationFacts> relations) {
        Set<String> keys = relations.stream()
                .map(relation -> relation.table().primaryKey())
                .filter(key -> key.size() == 1)
                .map(key -> key.get(0))
                .collect(Collectors.toSet());
        Map<String, Long> tableCountByColumn = relations.stream()
                .flatMap(relation -> relation.table().columns().stream()
                        .map(column -> column.column().name())
                        .filter(column -> ColumnNames.suggestsIdentifier(column)
                                || keys.contains(column)
                                || relation.column(column).inForeignKey())
                        .filter(column -> !relation.table().primaryKey().equals(List.of(column))))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return new TenantColumnFinder(tableCountByColumn.entrySet().stream()
                .filter(column -> column.getValue() >= MIN_TABLES && 2 * column.getValue() > relations.size())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()));
    }

    /** Returns the tenant columns of a relation, in the order of the table. */
    List<String> find(UsableColumns columns) {
        return columns.all().stream()
                .filter(column -> !columns.isWholeKey(column)
                        && UsableColumns.isSortable(column)
                        && !LooseEquality.differentClaimsCanBeEqual(column.column()))
                .filter(column -> columns.isDistributionColumn(column)
                        || isTenant(column, columns.facts(column).referencedTable()))
                .map(column -> column.column().name())
                .toList();
    }

    private boolean isTenant(TableColumn column, Optional<String> referencedTable) {
        String name = column.column().name();
        return ColumnNames.suggestsTenant(name)
                || referencedTable
                        .filter(table -> ColumnNames.suggestsParties(table) && !ColumnNames.suggestsPeople(table))
                        .isPresent()
                || commonNames.contains(name);
    }
}
